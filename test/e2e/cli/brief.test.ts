import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { DiaryEntry } from "../../support/diary.ts";
import { type Fleet, makeFleet } from "../../support/fleet.ts";
import { until } from "../../support/until.ts";
import { openShell, plainEnvironment } from "./shell.ts";

const ID = "demo-say-hello";
const PROMPT = "Say hello.\n\n\t\"quotes\" 'and' $(sh) `x` é 漢 🙂 \\n\r\n\n";

function entries(fleet: Fleet, event: string): readonly DiaryEntry[] {
  return fleet.diary(ID).filter((entry) => entry.event === event);
}

it("briefs an agent about its workspace, checks and rules, and a later process about what happened before", async () => {
  const fleet = await makeFleet({
    files: { "RULES.md": "Write tests first.\n" },
    project: {
      agentRules: "Use tabs.",
      agentRulesFile: "RULES.md",
      checks: { unit: { run: "sh check.sh" }, nightly: { run: "make all", on: ["main"] } },
      openPullRequest: "agent",
    },
  });
  await fleet.start();
  const shell = openShell(fleet.repo, { ...plainEnvironment(fleet.dir), AO_HOME: fleet.home });
  await shell.ok("add-project", ".");
  const file = join(fleet.dir, "prompt.md");
  writeFileSync(file, `${PROMPT}!write hello.txt hi\n!commit Say hello to all`);
  await shell.ok("new", "Say hello", "--prompt-file", file);
  await until("the task", () => entries(fleet, "task").length === 1);
  const [task] = entries(fleet, "task");
  expect(task?.text).toBe(`${PROMPT}!write hello.txt hi\n!commit Say hello to all`);
  const { workspacePath, branch } = await fleet.session(ID);
  expect(task?.brief).toContain(`git worktree of that project at ${workspacePath}, on branch ${branch}`);
  expect(task?.brief).toContain("- unit: `sh check.sh`\n");
  expect(task?.brief).not.toContain("nightly");
  expect(task?.brief).toContain(`ao pr open ${ID}`);
  expect(task?.brief).toMatch(/# Project rules\n\nUse tabs\.\n\nWrite tests first\.\n$/);
  await until("the commit", async () => (await fleet.session(ID)).agentStatus === "idle");

  await shell.ok("send", ID, "!die 1");
  await until("the resumed turn", () => entries(fleet, "resume").length === 1);
  const [resumed] = entries(fleet, "resume");
  expect(resumed).toMatchObject({ text: "!die 1", resume: true });
  expect(resumed?.brief).toMatch(
    new RegExp(`<{8} commits on ${branch} so far, newest first \\(data, .*\\)\n- Say hello to all\n>{8} end`),
  );
});
