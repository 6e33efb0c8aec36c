import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { judge } from "../bridge/kit/policy.ts";
import { renderInitialConfig } from "../config/generate.ts";
import { parseConfig } from "../config/parse.ts";
import { createNodeHost } from "../platform/host.ts";
import { createSilentLog } from "../platform/log.ts";
import { tempDir } from "../testing/temp.ts";
import { AGENT_NAMES, adviseAgent, findAgents, presetFor } from "./find-agents.ts";
import { checkSettings } from "./plugin-settings.ts";

const host = createNodeHost({ log: createSilentLog(), env: {} });

/** A folder with programs of these names. */
function programs(...names: readonly string[]): string {
  const dir = tempDir();
  for (const name of names) {
    writeFileSync(join(dir, name), "#!/bin/sh\n");
    chmodSync(join(dir, name), 0o755);
  }
  return dir;
}

describe("agents on PATH", () => {
  it.each([
    ["none", [], []],
    ["one", ["codex"], ["codex"]],
    ["those whose program has another name", ["kimi", "cursor-agent", "claude"], ["claude-code", "kimicode", "cursor"]],
    ["all, in documentation order", ["aider", "gemini", "opencode", "codex"], ["codex", "opencode", "gemini", "aider"]],
  ])("are found: %s", async (_, installed, found) => {
    expect(await findAgents(host, programs(...installed))).toEqual(found);
  });

  it("are neither folders nor files that cannot be run", async () => {
    const dir = tempDir();
    mkdirSync(join(dir, "claude"));
    writeFileSync(join(dir, "codex"), "");
    expect(await findAgents(host, dir)).toEqual([]);
    expect(await findAgents(host, undefined)).toEqual([]);
  });
});

describe("what a new project's agent may do unasked", () => {
  it.each(AGENT_NAMES)("is accepted by %s", (name) => {
    const text = renderInitialConfig({
      projectId: "app",
      path: ".",
      agent: presetFor(name, { base: "main", checks: ["npm test"] }),
    });
    expect(parseConfig(text, "f", { env: {}, settings: checkSettings }).written.projects?.["app"]?.agent).toBe(name);
  });

  it("includes editing, committing and running the checks, but not pushing, deleting or everything", () => {
    const project = { base: "main", checks: ["npm test"] };
    const { permissions, allow } = presetFor("claude-code", project);
    expect(permissions).toBe("edits");
    expect(allow).toEqual(expect.arrayContaining(["git commit *", "npm test"]));
    expect(allow.filter((command) => /push|clean|reset|checkout|^rm|^\*/.test(command))).toEqual([]);
    expect(presetFor("aider", project)).toMatchObject({ permissions: "edits", allow: [] });
    expect(presetFor("cursor", project)).toMatchObject({ permissions: null, allow: [] });
  });

  it.each([
    "git merge trunk",
    "git merge trunk && npm test",
    "git rebase --onto trunk 1a2b3c4",
    "git revert --no-edit 1a2b3c4",
    "git log --oneline -5",
    "git status && git diff trunk...HEAD",
    'ao reply "#4" rv-1a2b.1 "Fixed in the last commit"',
  ])("includes what ao asks of agents: %s", (command) => {
    const { allow } = presetFor("claude-code", { base: "trunk", checks: ["npm test"] });
    const tool = { id: "t", kind: "execute", title: command, status: "pending", command, paths: [] };
    expect(judge({ permissions: "edits", allow, deny: [] }, tool, { cwd: "/w", home: "/h" })).toBe("allow");
  });

  it("says truly what happens to other commands", () => {
    const about = (name: string): string => {
      const agent = presetFor(name, { base: "main", checks: ["npm test"] });
      return renderInitialConfig({ projectId: "app", path: ".", agent });
    };
    expect(about("claude-code")).toContain("anything else, such as git push or rm,\n      # asks you first");
    expect(about("codex")).toContain("runs commands in its own sandbox without asking");
    expect(about("aider")).toContain("It edits files in its worktree without asking.");
  });
});

describe("the advice for a project without an agent", () => {
  it("names the installed agents and the command to type", () => {
    expect(adviseAgent("app", ["claude-code", "codex"])).toBe(
      "Found on PATH: run `ao config set projects.app.agent claude-code`. Also found: codex.",
    );
  });

  it("names all known agents if none is installed", () => {
    expect(adviseAgent("app", [])).toMatch(/^Install one \(claude-code, codex, opencode, .*projects\.app\.agent NAME/);
  });
});
