import { expect, it, onTestFinished } from "vitest";
import { createFakeLinear } from "../../../src/testing/fake-linear/fake-linear.ts";
import { tempDir } from "../../../src/testing/temp.ts";
import { filesWith } from "../../support/files-with.ts";
import { makeFleet } from "../../support/fleet.ts";
import { until } from "../../support/until.ts";
import { openShell, plainEnvironment } from "../cli/shell.ts";

it("works on a Linear issue from the command line, moves it forward, and leaks no key", async () => {
  const linear = createFakeLinear();
  const team = linear.createTeam("ENG");
  const issue = team.openIssue({ title: "Fix login", description: "It fails." });
  const server = await linear.listen();
  onTestFinished(() => server.close());
  const tracker = {
    plugin: "linear",
    teamId: "ENG",
    baseUrl: `${server.url}/graphql`,
    states: { working: "In Progress" },
  };
  const fleet = await makeFleet({ project: { tracker } });
  await fleet.start();
  const env = { ...plainEnvironment(tempDir()), AO_HOME: fleet.home, LINEAR_API_KEY: linear.token };
  const shell = openShell(fleet.repo, env);
  await shell.ok("add-project", ".");

  expect(await shell.ok("issue", "list")).toContain("ENG-1");
  await shell.ok("spawn", "ENG-1");
  await shell.ok("wait", "demo-eng-1", "--for", "idle");
  expect(fleet.diary("demo-eng-1").some(({ text }) => text?.includes("It fails.") === true)).toBe(true);
  expect(await shell.json("status", "demo-eng-1")).toMatchObject({ issue: "ENG-1", branch: "agent/issue-eng-1" });
  await until("the state", () => issue.state.name === "In Progress");
  expect(issue.comments).toMatchObject([{ body: expect.stringContaining("ao is working on this") }]);
  expect(await shell.ok("doctor")).toContain("tracker of demo: team ENG as ao, key of LINEAR_API_KEY");
  expect(filesWith(fleet.dir, linear.token)).toEqual([]);
});
