import { readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { startFakeGithub } from "../../../src/testing/fake-github/fake-github.ts";
import { tempDir } from "../../../src/testing/temp.ts";
import { filesWith } from "../../support/files-with.ts";
import { makeFleet } from "../../support/fleet.ts";
import { until } from "../../support/until.ts";
import { openShell, plainEnvironment, processesIn } from "../cli/shell.ts";

it("works with GitHub issues from the command line and leaks no token", async () => {
  const github = await startFakeGithub({ folder: tempDir() });
  onTestFinished(() => github.close());
  const repository = github.createRepository("octo/demo");
  const { token } = github;
  const tracker = { plugin: "github", baseUrl: github.url };
  const fleet = await makeFleet({ project: { repo: "octo/demo", tracker } });
  await fleet.start();
  const shell = openShell(fleet.repo, { ...plainEnvironment(tempDir()), AO_HOME: fleet.home, GITHUB_TOKEN: token });
  await shell.ok("add-project", ".");

  await shell.ok("issue", "new", "Fix login", "--body", "It fails.", "--label", "bug");
  repository.openIssue({ title: "Later", body: "Depends on #1" });
  expect(await shell.json("issue", "list", "--label", "bug")).toMatchObject({ data: [{ id: "1", labels: ["bug"] }] });
  expect(await shell.json("issue", "show", "2")).toMatchObject({ id: "2", dependsOn: ["1"] });
  expect((await shell.ao("new", "--issue", "2")).err).toContain("Issue 2 depends on #1 (Fix login), which is open.");

  await shell.ok("new", "--issue", "1");
  await shell.ok("wait", "demo-1", "--for", "idle");
  expect(fleet.diary("demo-1").some(({ text }) => text?.includes("It fails.") === true)).toBe(true);
  await until("the comment", () => repository.issue(1).comments.length > 0);
  expect(repository.issue(1).comments).toMatchObject([{ body: expect.stringContaining("ao is working on this") }]);
  expect(await shell.ok("doctor")).toMatch(/tracker of demo: octo\/demo, token of GITHUB_TOKEN/);

  const others = processesIn(fleet.home).filter((pid) => pid !== fleet.daemonPid());
  const seen = others.flatMap((pid) =>
    ["environ", "cmdline"].map((file) => readFileSync(`/proc/${pid}/${file}`, "utf8")),
  );
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.filter((text) => text.includes(token))).toEqual([]);
  expect(filesWith(fleet.dir, token)).toEqual([]);

  await shell.ok("issue", "close", "1");
  expect(repository.issue(1)).toMatchObject({ state: "closed", stateReason: "completed" });
  github.revoke(token);
  expect(await shell.ao("issue", "list")).toMatchObject({ code: 1, err: expect.stringContaining("refused the token") });
  const env = { GITHUB_TOKEN: github.createToken("octo") };
  expect(await shell.aoWith({ env }, "start", "--no-open", "--detach")).toMatchObject({ code: 0 });
  expect(await shell.ok("issue", "list")).toContain("Later");
});
