import { expect, it } from "vitest";
import type { PullRequestDetailView } from "../../../src/protocol/views/pull-request.ts";
import type { SessionDetailView } from "../../../src/protocol/views/session.ts";
import { tempDir } from "../../../src/testing/temp.ts";
import { until } from "../../support/until.ts";
import { openShell, plainEnvironment } from "../cli/shell.ts";
import { makeForgeLoop } from "../forge/forge-loop.ts";
import { startLoopGithub } from "../forge/loop-github.ts";
import { commit, on, scenes } from "../reactions/scenes.ts";

it("publishes a local pull request once its project is on GitHub, and merges it there", async () => {
  const forge = await startLoopGithub();
  const { there } = forge;
  const script = scenes(on("task", "", commit("search.txt", "right\n")));
  const { fleet, push } = await makeForgeLoop(forge, { default: script }, { scm: "local" });
  await push("main", "feature/bob");
  await there.openPull({ title: "By somebody else", head: "feature/bob", by: "bob" });
  const shell = openShell(fleet.repo, { ...plainEnvironment(tempDir()), AO_HOME: fleet.home });
  const { id } = await shell.json<SessionDetailView>("new", "Add search");
  await fleet.reach(1, "open", ({ phase }) => phase === "open");

  expect((await shell.ao("pr", "push", id)).err).toContain("ao config set projects.demo.scm github");
  await shell.ok("config", "set", "projects.demo.scm", `{ plugin: github, baseUrl: "${forge.url}" }`);
  await fleet.reach(1, "unpublished", ({ blockers }) => blockers.some((one) => one.includes("`ao pr push`")));
  expect(await shell.ok("pr", "push", id)).toContain("published as #2 (#1 on this machine): ");
  const again = await shell.json<PullRequestDetailView>("pr", "push", "#2");
  expect(again).toMatchObject({ key: "demo/1", number: 2, url: expect.stringContaining("/octo/demo/pull/2") });

  there.checks.pass(2, "build");
  await there.review(2, { state: "APPROVED" });
  await until("the merge", () => there.pull(2).mergedAt !== null);
  expect([...there.record.pulls.keys()]).toEqual([1, 2]);
});
