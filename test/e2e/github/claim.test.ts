import { expect, it } from "vitest";
import type { SessionDetailView } from "../../../src/protocol/views/session.ts";
import { git } from "../../../src/testing/git-repo.ts";
import { tempDir } from "../../../src/testing/temp.ts";
import { isDelivery } from "../../support/judge.ts";
import { until } from "../../support/until.ts";
import { openShell, plainEnvironment } from "../cli/shell.ts";
import { makeForgeLoop } from "../forge/forge-loop.ts";
import { startLoopGithub } from "../forge/loop-github.ts";
import { commit, on, scenes } from "../reactions/scenes.ts";

const SCRIPT = scenes(
  on("task", "", [{ done: "It adds a search." }]),
  on("message", "check `build`", commit("search.txt", "right\n")),
);

it("claims a pull request opened by a person, gets its red check fixed and merges it", async () => {
  const forge = await startLoopGithub();
  const { there } = forge;
  const { fleet, push } = await makeForgeLoop(forge, { default: SCRIPT });
  there.protect("main", { checks: ["build"] });
  const tree = git(fleet.repo, "rev-parse", "main^{tree}").trim();
  const wrong = git(fleet.repo, "commit-tree", "-p", "main", "-m", "Add search", tree).trim();
  await push(wrong, "feature/search");
  const pull = await there.openPull({ title: "Add search", head: "feature/search", by: "bob" });
  const shell = openShell(fleet.repo, { ...plainEnvironment(tempDir()), AO_HOME: fleet.home });

  expect((await shell.ao("claim-pr", "9")).err).toContain("octo/demo has no pull request #9.");
  const session = await shell.json<SessionDetailView>("claim-pr", "#1");
  expect(session).toMatchObject({ id: "demo-add-search", branch: "feature/search", title: "Add search" });
  expect(git(session.workspacePath ?? "", "rev-parse", "HEAD").trim()).toBe(wrong);
  expect((await shell.ao("claim-pr", "1")).err).toContain("#1 already belongs to session demo-add-search.");

  there.checks.onRerun((job) => there.checks.end(job, "failure", { log: "expected 1, got 2" }));
  there.checks.fail(1, { name: "build", log: "expected 1, got 2" });
  await until("the fix", () => pull.head !== wrong);
  there.checks.pass(1, "build");
  await there.review(1, { state: "APPROVED" });
  await until("the merge", () => pull.mergedAt !== null);
  expect([...there.record.pulls.keys()]).toEqual([1]);
  const told = fleet.diary(session.id).filter(isDelivery);
  expect(told.map(({ event }) => event)).toEqual(["task", "message"]);
  expect(told[0]?.text).toMatch(
    /^You are taking over pull request #1, which is[\s\S]*until "end \w{6}"\)\nAdd search\n/,
  );
});
