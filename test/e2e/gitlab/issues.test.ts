import { expect, it } from "vitest";
import { tempDir } from "../../../src/testing/temp.ts";
import { makeFleet } from "../../support/fleet.ts";
import { until } from "../../support/until.ts";
import { openShell, plainEnvironment } from "../cli/shell.ts";
import { startLoopGitlab } from "../forge/loop-gitlab.ts";

it("lists GitLab issues on the command line and starts a session for one", async () => {
  const forge = await startLoopGitlab();
  const readIssue = forge.openIssue({ title: "Fix login", text: "It fails." });
  forge.openIssue({ title: "Later", text: "Depends on #1" });
  const fleet = await makeFleet({
    project: { repo: "octo/demo", tracker: { plugin: "gitlab", baseUrl: forge.url } },
    env: forge.env(""),
  });
  await fleet.start();
  const shell = openShell(fleet.repo, { ...plainEnvironment(tempDir()), AO_HOME: fleet.home });
  await shell.ok("add-project", ".");

  expect(await shell.json("issue", "list")).toMatchObject({
    data: [
      { id: "1", title: "Fix login" },
      { id: "2", dependsOn: ["1"] },
    ],
  });
  expect((await shell.ao("spawn", "2")).err).toContain("Issue 2 depends on #1 (Fix login), which is open.");
  await shell.ok("spawn", "1");
  await until("the task", () => fleet.diary("demo-1").some(({ text }) => text?.includes("It fails.") === true));
  await until("the comment", () => readIssue().comments.length > 0);
  expect(readIssue().comments).toEqual([expect.stringContaining("ao is working on this")]);
});
