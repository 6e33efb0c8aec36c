import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { PullRequestView } from "../../src/protocol/views/pull-request.ts";
import { git } from "../../src/testing/git-repo.ts";
import { diskFolder, tempDir } from "../../src/testing/temp.ts";
import { snapshot } from "../attack/agent-home.ts";
import { hasBubblewrap, note } from "../e2e/sandbox/stage.ts";
import { open, reach } from "../e2e/survival/session.ts";
import { makeFleet, processesOf } from "../support/fleet.ts";
import { until } from "../support/until.ts";
import { claude, claudeEnvironment } from "./support/claude.ts";
import { codex, codexEnvironment } from "./support/codex.ts";
import { type ModelServer, startModelServer } from "./support/model-server.ts";

interface Vendor {
  readonly agent: string;
  readonly program: string | null;
  readonly allow: readonly string[];
  readonly folder: string;
  environment(home: string, model: ModelServer): Record<string, string>;
}

const VENDORS: readonly Vendor[] = [
  {
    agent: "claude-code",
    program: claude,
    allow: ["Bash"],
    folder: ".claude",
    environment: (home, model) => {
      writeFileSync(join(home, ".claude.json"), "{}");
      return claudeEnvironment(model);
    },
  },
  {
    agent: "codex",
    program: codex,
    allow: [],
    folder: ".codex",
    environment: (home, model) => codexEnvironment({ home, repo: "", workspace: "" }, model),
  },
];

function isGreen({ checks }: PullRequestView): boolean {
  return checks.length > 0 && checks.every(({ state }) => state === "passed");
}

describe.skipIf(!hasBubblewrap)(`in ao's sandbox${note}`, () => {
  for (const { agent, program, allow, folder, environment } of VENDORS) {
    it.skipIf(program === null)(
      `${agent} works from task to merge, keeps its conversation, and writes nowhere else`,
      async () => {
        const model = await startModelServer();
        onTestFinished(() => model.close());
        const home = tempDir("ao-user-", diskFolder());
        const agentConfig = { command: [program], permissions: "edits", allow, sandbox: "bubblewrap" };
        const env = { HOME: home, ...environment(home, model) };
        const checks = { test: { run: "test -e a.txt" } };
        const machine = { reactions: { "approved-and-green": { auto: true, action: "merge", strategy: "squash" } } };
        const fleet = await makeFleet({ agentConfig, project: { agent, env, checks }, machine });
        await open(fleet);
        const outside = join(home, "outside.txt");
        const commit = "touch a.txt && git add -A && git commit -q -m inside";
        const decide = "for n in settings.json config.toml CLAUDE.md AGENTS.md; do echo evil >>$n; done";
        const attempt = `touch ${outside}; for f in ~/.claude ~/.codex; do (cd $f && ${decide}); done`;
        const prompt = `Do it. [[run: ${commit}; ${attempt}]] [[say: over]]`;
        const before = snapshot(home);
        const { body } = await fleet.write<{ id: string }>("POST", "/api/sessions", { title: "one", prompt });
        const { branch, run } = await reach(fleet, body.id, "done", ({ summary }) => summary === "over");
        const published = (): boolean => git(fleet.repo, "log", "--format=%s", `main..${branch}`).trim() === "inside";
        await until("the commit to be taken over", published);
        expect(existsSync(outside)).toBe(false);
        process.kill(run.pid ?? 0, "SIGKILL");
        await reach(fleet, body.id, "at run 2", (now) => now.run.n === 2 && now.run.state === "alive");
        await fleet.write("POST", `/api/sessions/${body.id}/message`, { content: "Again. [[say: twice]]" });
        await reach(fleet, body.id, "done again", ({ summary }) => summary === "twice");
        expect(model.countInLast("Do it.")).toBe(1);
        await fleet.write("DELETE", `/api/sessions/${body.id}`);
        await reach(fleet, body.id, "stopped", ({ agentStatus }) => agentStatus === "stopped");
        await fleet.write("POST", `/api/sessions/${body.id}/restore`, {});
        await fleet.write("POST", `/api/sessions/${body.id}/message`, { content: "Once more. [[say: thrice]]" });
        await reach(fleet, body.id, "done after the restore", ({ summary }) => summary === "thrice");
        expect(model.countInLast("Do it.")).toBe(1);
        const { pullRequests } = await reach(fleet, body.id, "green", (now) => now.pullRequests.some(isGreen));
        const { key, head } = pullRequests[0] ?? { key: "", head: "" };
        await fleet.write("POST", `/api/pull-requests/${key}/review`, { verdict: "approve", author: "rita", head });
        await reach(fleet, body.id, "stopped", ({ agentStatus }) => agentStatus === "stopped");
        expect(git(fleet.repo, "log", "--format=%s", "-1", "main").trim()).toBe("one (#1)");
        expect(processesOf(fleet.home)).toEqual([]);
        // It found, or was given, an empty folder; `codex --version`, which ao runs outside, leaves a temporary one.
        const after = Object.entries(snapshot(home)).filter(([name]) => !name.startsWith(".codex/tmp"));
        expect(Object.fromEntries(after)).toEqual({ ...before, [folder]: expect.any(String) });
      },
    );
  }
});
