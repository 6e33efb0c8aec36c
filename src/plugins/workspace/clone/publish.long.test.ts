import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { WorkspaceInfo } from "../../../ports/workspace.ts";
import { git, writeFiles } from "../../../testing/git-repo.ts";
import { tempDir } from "../../../testing/temp.ts";
import { openWorkspaceFixture, type WorkspaceFixture } from "../../../testing/workspace-fixture.ts";
import { clone } from "./clone.ts";

interface Opened extends WorkspaceFixture {
  readonly info: WorkspaceInfo;
  publish(): Promise<{ readonly head: string } | null>;
  /** The session's branch in the project. */
  branch(): string;
}

async function open(): Promise<Opened> {
  const home = tempDir();
  const fixture = openWorkspaceFixture((host) => clone.create(clone.config.parse({}), host, { home, projectPath: "" }));
  const info = await fixture.workspace.create(fixture.request("one"));
  const ref = fixture.refOf(info, fixture.request("one"));
  return {
    ...fixture,
    info,
    publish: async () => {
      if (fixture.workspace.publish === undefined) throw new Error("it cannot publish");
      return fixture.workspace.publish(ref);
    },
    branch: () => git(fixture.repo, "rev-parse", "refs/heads/agent/one").trim(),
  };
}

function commit(path: string, name: string, ...options: readonly string[]): string {
  writeFiles(path, { [name]: name });
  git(path, "add", "-A");
  git(path, "commit", "-q", "-m", name, ...options);
  return git(path, "rev-parse", "HEAD").trim();
}

test("copies the branch's commits into the project, once and again", async () => {
  const { info, repo, publish, branch } = await open();
  for (const name of ["first", "second"]) {
    const head = commit(info.path, name);
    expect(await publish()).toEqual({ head });
    expect(await publish()).toEqual({ head });
    expect(branch()).toBe(head);
  }
  expect(git(repo, "for-each-ref", "refs/ao")).toBe("");
  expect(existsSync(join(repo, ".git/FETCH_HEAD"))).toBe(false);
  expect(git(repo, "status", "--porcelain")).toBe("");
});

test("follows an agent that rewrote its own commits", async () => {
  const { info, publish, branch } = await open();
  commit(info.path, "first");
  await publish();
  const head = commit(info.path, "better", "--amend");
  expect(await publish()).toEqual({ head });
  expect(branch()).toBe(head);
});

test("removes nobody's commits from the branch", async () => {
  const { info, repo, publish, branch } = await open();
  git(repo, "switch", "-q", "agent/one");
  const theirs = commit(repo, "theirs");
  git(repo, "switch", "-q", "main");
  commit(info.path, "mine");
  await expect(publish()).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("not in the clone"),
  });
  expect(branch()).toBe(theirs);
  git(info.path, "fetch", "-q", "project");
  git(info.path, "merge", "-q", "-m", "both", "project/agent/one");
  expect(await publish()).toEqual({ head: git(info.path, "rev-parse", "HEAD").trim() });
});

test("accepts a branch that has advanced in the project", async () => {
  const { info, repo, publish, branch } = await open();
  commit(info.path, "mine");
  await publish();
  git(repo, "switch", "-q", "agent/one");
  const theirs = commit(repo, "theirs");
  git(repo, "switch", "-q", "main");
  expect(await publish()).toEqual({ head: theirs });
  expect(branch()).toBe(theirs);
});

test("never moves a branch that a person has checked out", async () => {
  const { info, repo, publish, branch } = await open();
  git(repo, "switch", "-q", "agent/one");
  commit(info.path, "mine");
  await expect(publish()).rejects.toMatchObject({ message: expect.stringContaining(`checked out at ${repo}`) });
  expect(branch()).toBe(info.head);
  expect(git(repo, "status", "--porcelain")).toBe("");
  git(repo, "switch", "-q", "main");
  await publish();
  expect(branch()).toBe(git(info.path, "rev-parse", "HEAD").trim());
});

test("recreates a branch that was deleted in the project", async () => {
  const { info, repo, publish, branch } = await open();
  const head = commit(info.path, "mine");
  git(repo, "branch", "-q", "-D", "agent/one");
  expect(await publish()).toEqual({ head });
  expect(branch()).toBe(head);
});

test("runs no hook of the project", async () => {
  const { info, repo, publish } = await open();
  for (const hook of ["pre-receive", "update", "reference-transaction"]) {
    writeFileSync(join(repo, ".git/hooks", hook), "#!/bin/sh\nexit 1\n");
    chmodSync(join(repo, ".git/hooks", hook), 0o755);
  }
  const head = commit(info.path, "mine");
  expect(await publish()).toEqual({ head });
});

test("returns the project's commit if the clone is gone", async () => {
  const { info, publish } = await open();
  rmSync(info.path, { recursive: true });
  expect(await publish()).toEqual({ head: info.head });
});
