import { describe, expect, test } from "vitest";
import { forgeOf } from "./forge-of.ts";
import { renderInitialConfig } from "./generate.ts";
import { listNotInEffect } from "./in-effect.ts";
import { parseConfig } from "./parse.ts";

const detected = {
  projectId: "my-app",
  path: "~/my-app",
  defaultBranch: "main",
  agent: { name: "claude-code", permissions: "edits", allow: ["git commit *", "npm test"] },
} as const;

describe("the initial file", () => {
  test("contains what was detected, and every key in it is in effect", () => {
    const { written } = parseConfig(renderInitialConfig(detected), "f.yaml", { env: {} });
    expect(written).toEqual({
      $schema: expect.stringContaining("config.schema.json"),
      projects: {
        "my-app": {
          path: "~/my-app",
          defaultBranch: "main",
          agent: "claude-code",
          agentConfig: { permissions: "edits", allow: ["git commit *", "npm test"] },
        },
      },
    });
    expect(listNotInEffect(written)).toEqual([]);
  });

  test("explains the permissions it grants", () => {
    expect(renderInitialConfig(detected)).toContain("anything else, such as git push");
  });

  test("puts the agent into a sandbox, or says why not", () => {
    const agentConfigOf = (agent: object): unknown => {
      const text = renderInitialConfig({ ...detected, agent: { ...detected.agent, ...agent } });
      return parseConfig(text, "f.yaml", { env: {} }).written.projects?.["my-app"]?.agentConfig;
    };
    expect(agentConfigOf({ sandboxObstacle: null })).toMatchObject({ sandbox: "bubblewrap", permissions: "edits" });
    expect(agentConfigOf({ sandboxObstacle: null, permissions: null })).toEqual({ sandbox: "bubblewrap" });
    expect(agentConfigOf({ sandboxObstacle: "no\nway: #1" })).not.toHaveProperty("sandbox");
    expect(agentConfigOf({ sandboxObstacle: "no", permissions: null })).toBeUndefined();
    const text = renderInitialConfig({ ...detected, agent: { ...detected.agent, sandboxObstacle: "no\nway." } });
    expect(text).toContain("      # sandbox: bubblewrap # not used: no way.\n");
  });

  test("sets no permissions for an agent that cannot ask", () => {
    const text = renderInitialConfig({ ...detected, agent: { name: "cursor", permissions: null, allow: [] } });
    const { projects } = parseConfig(text, "f.yaml", { env: {} }).written;
    expect(projects?.["my-app"]).toMatchObject({ agent: "cursor" });
    expect(projects?.["my-app"]).not.toHaveProperty("agentConfig");
  });

  test("omits what was not detected", () => {
    const text = renderInitialConfig({ projectId: "a", path: "." });
    expect(parseConfig(text, "f.yaml", { env: {} }).written).toMatchObject({ projects: { a: { path: "." } } });
    expect(text).not.toMatch(/null|undefined|defaults:/);
  });

  test.each(["/tmp/with space: and # signs", "~", "null", "/tmp/'quoted\"", "/tmp/new\nline", "/tmp/ünï"])(
    "holds the path %j",
    (path) => {
      const { written } = parseConfig(renderInitialConfig({ projectId: "42", path }), "f.yaml", { env: {} });
      expect(written.projects?.["42"]?.path).toBe(path);
    },
  );

  test("suggests issues and pull requests on the forge, valid once the # is removed", () => {
    const forge = forgeOf("https://user:secret@github.com/octo/app", {});
    const text = renderInitialConfig({ ...detected, forge });
    expect(parseConfig(text, "f.yaml", { env: {} }).written.projects?.["my-app"]).not.toHaveProperty("tracker");
    const opened = text.replace(/^( *)# (repo:|tracker:|scm:)/gm, "$1$2");
    const { written } = parseConfig(opened, "f.yaml", { env: {} });
    expect(written.projects?.["my-app"]).toMatchObject({ repo: "octo/app", tracker: "github", scm: "github" });
    expect(listNotInEffect(written)).toEqual([]);
    expect(text).not.toContain("secret");
  });

  test("uses the forge if the user asked for it", () => {
    const forge = forgeOf("git@github.example.com:octo/app.git", { GH_HOST: "github.example.com" });
    const text = renderInitialConfig({ ...detected, forge, usesForge: true });
    const plugin = { plugin: "github", baseUrl: "https://github.example.com" };
    expect(parseConfig(text, "f.yaml", { env: {} }).written.projects?.["my-app"]).toMatchObject({
      repo: "octo/app",
      tracker: plugin,
      scm: plugin,
    });
  });

  test("uses issues and merge requests from gitlab.com too", () => {
    const forge = forgeOf("https://gitlab.com/group/sub/app.git", {});
    const text = renderInitialConfig({ ...detected, forge, usesForge: true });
    const { written } = parseConfig(text, "f.yaml", { env: {} });
    expect(written.projects?.["my-app"]).toMatchObject({ repo: "group/sub/app", tracker: "gitlab", scm: "gitlab" });
  });

  test("suggests none without a forge", () => {
    expect(renderInitialConfig({ ...detected, forge: null })).not.toContain("tracker");
  });

  test("suggests policies that are valid once their # is removed", () => {
    const text = renderInitialConfig(detected);
    const opened = text.replace(/^# (policies:| {2}.*)$/gm, "$1");
    const { written } = parseConfig(opened, "f.yaml", { env: {} });
    expect(written.policies).toMatchObject({ approvals: 1, blockLabels: ["hold", "needs-design"] });
    expect(listNotInEffect(written)).toEqual([]);
    expect(parseConfig(text, "f.yaml", { env: {} }).written.policies).toBeUndefined();
  });
});
