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
  git(repo, "branch", "plain");
  git(repo, "symbolic-ref", "refs/heads/alias", "refs/heads/main");
  git(repo, "symbolic-ref", "refs/heads/alias-of-alias", "refs/heads/alias");
  git(repo, "symbolic-ref", "refs/heads/nickname", "refs/heads/plain");
  git(repo, "update-ref", "refs/remotes/origin/main", "main");
  git(repo, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
  const refused: readonly (readonly [branch: string, message: RegExp])[] = [
    ["alias", /alias is a symbolic ref to main\. main is the default branch of web;/],
    ["alias-of-alias", /alias-of-alias is a symbolic ref to main\. main is the default branch of web;/],
    ["nickname", /nickname is a symbolic ref to plain\./],
    ["origin/HEAD", /"origin\/HEAD" is a branch of the remote origin/],
    ["heads/alias", /"heads\/alias" is a ref, not the name of a branch/],
  ];
  for (const [branch, message] of refused) {
    const typed = await shell.ao("new", "fine", "--branch", branch);
    expect(typed, branch).toMatchObject({ code: 2, out: "", err: expect.stringMatching(message) });
  }
  const elsewhere = await shell.ao("new", "fine", "--branch", "feature");
  expect(elsewhere).toMatchObject({
    code: 1,
    err: expect.stringContaining(`feature is checked out at ${repo}.\nhint: `),
  });
  for (const named of ["main", "MAIN", "refs/heads/main", "heads/main", "origin/main"]) {
    const on = await shell.ao("new", "fine", "--on", named);
    const err = expect.stringContaining("main is the default branch of web; every session");
    expect(on, named).toMatchObject({ code: 2, err });
  }
  for (const named of ["alias", "nickname", "feature", "plain"]) {
    expect((await shell.ao("new", "fine", "--on", named)).code, named).not.toBe(0);
  }
  for (const branch of [
    "main",
    "MAIN",
    "refs/heads/main",
    "origin/main",
    "company/main",
    "alias",
    "nickname",
    "HEAD",
  ]) {
    const body = { projectId: "web", title: "fine", branch };
    expect((await call(join(aoHome, "ao.sock"), "POST", "/api/sessions", body)).status, branch).toBe(400);
  }
  expect(await shell.json("list", "--all")).toEqual({ data: [] });
  expect(git(repo, "rev-parse", "main")).toBe(before);

  await shell.ok("new", "fine", "--branch", "next");
  await shell.ok("wait", "web-fine", "--for", "pr", "--timeout", "60s");
  await shell.ok("stop", "web-fine");
  git(repo, "branch", "-m", "next", "kept");
  git(repo, "symbolic-ref", "refs/heads/next", "refs/heads/main");
  const aliased = await shell.ao("restore", "web-fine");
  expect(aliased).toMatchObject({ code: 2, err: expect.stringContaining("next is a symbolic ref to main.") });
  git(repo, "symbolic-ref", "--delete", "refs/heads/next");
  git(repo, "branch", "-m", "kept", "next");
  await shell.ok("config", "set", "projects.web.defaultBranch", "next");
  const restored = await shell.ao("restore", "web-fine");
  expect(restored).toMatchObject({ code: 2, err: expect.stringContaining("next is the default branch of web;") });
});
