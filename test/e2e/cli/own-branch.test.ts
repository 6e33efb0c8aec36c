import { join } from "node:path";
import { expect, it } from "vitest";
import { git } from "../../../src/testing/git-repo.ts";
import { call } from "../../support/api.ts";
import { makeTeam } from "./team.ts";

const OWN = /error: main is the default branch of web; sessions work on their own branch\.\nhint: /;

it("no session works on the default branch, however it is named, nor on one that is checked out elsewhere", async () => {
  const { repo, aoHome, shell } = await makeTeam();
  const before = git(repo, "rev-parse", "main");
  git(repo, "switch", "-q", "-c", "feature");
  git(repo, "remote", "add", "company", repo);
  for (const branch of ["main", "refs/heads/main", "heads/main", "origin/main", "company/main", "MAIN"]) {
    const typed = await shell.ao("new", "fine", "--branch", branch);
    expect(typed, branch).toEqual({ code: 2, out: "", err: expect.stringMatching(OWN) });
  }
  for (const branch of ["HEAD", "@", "--force", "refs/tags/v1", "refs/heads/fix"]) {
    const typed = await shell.ao("new", "fine", `--branch=${branch}`);
    expect(typed, branch).toMatchObject({ code: 2, out: "" });
  }
  const elsewhere = await shell.ao("new", "fine", "--branch", "feature");
  expect(elsewhere).toMatchObject({
    code: 1,
    err: expect.stringContaining(`feature is checked out at ${repo}.\nhint: `),
  });
  const on = await shell.ao("new", "fine", "--on", "main");
  expect(on).toMatchObject({
    code: 2,
    err: expect.stringContaining("main is the default branch of web; every session"),
  });
  const body = { projectId: "web", title: "fine", branch: "refs/heads/main" };
  expect((await call(join(aoHome, "ao.sock"), "POST", "/api/sessions", body)).status).toBe(400);
  expect(await shell.json("list", "--all")).toEqual({ data: [] });
  expect(git(repo, "rev-parse", "main")).toBe(before);

  await shell.ok("new", "fine", "--branch", "next");
  await shell.ok("wait", "web-fine", "--for", "pr", "--timeout", "60s");
  await shell.ok("stop", "web-fine");
  await shell.ok("config", "set", "projects.web.defaultBranch", "next");
  const restored = await shell.ao("restore", "web-fine");
  expect(restored).toMatchObject({ code: 2, err: expect.stringContaining("next is the default branch of web;") });
});
