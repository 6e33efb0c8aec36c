import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Host } from "../../../ports/host.ts";
import type { Workspace, WorkspaceInfo } from "../../../ports/workspace.ts";
import { git, writeFiles } from "../../../testing/git-repo.ts";
import { tempDir } from "../../../testing/temp.ts";
import { openWorkspaceFixture, type WorkspaceFixture } from "../../../testing/workspace-fixture.ts";
import { worktree } from "./worktree.ts";

const FILES = { "a.txt": "1\n2\n3\n4\n5\n6\n7\n8\n", "b.txt": "b\n" };

function make(host: Host): Workspace {
  return worktree.create(worktree.config.parse({}), host, { home: tempDir(), projectPath: "" });
}

async function saved(
  work: (path: string) => void,
): Promise<{ readonly fixture: WorkspaceFixture; readonly info: WorkspaceInfo }> {
  const fixture = openWorkspaceFixture(make, FILES);
  const info = await fixture.workspace.create(fixture.request("one"));
  work(info.path);
  expect(await fixture.workspace.remove(fixture.refOf(info, fixture.request("one")))).toMatchObject({
    kind: "removed",
  });
  return { fixture, info };
}

function restore(fixture: WorkspaceFixture): Promise<WorkspaceInfo> {
  return fixture.workspace.create(fixture.request("one", { generation: 2, restore: true }));
}

/** Commits to a branch that is not checked out. */
function commitTo(fixture: WorkspaceFixture, branch: string, files: Readonly<Record<string, string>>): string {
  git(fixture.repo, "switch", "-q", branch);
  writeFiles(fixture.repo, files);
  git(fixture.repo, "add", "-A");
  git(fixture.repo, "commit", "-q", "-m", "moved");
  const head = git(fixture.repo, "rev-parse", "HEAD").trim();
  git(fixture.repo, "switch", "-q", "main");
  return head;
}

test("restores changes on top of a branch that has moved, if they fit", async () => {
  const { fixture } = await saved((path) => {
    writeFiles(path, { "a.txt": FILES["a.txt"].replace("8", "eight"), "new.txt": "new" });
    git(path, "add", "new.txt");
  });
  const head = commitTo(fixture, "agent/one", { "a.txt": FILES["a.txt"].replace("1", "one"), "c.txt": "c" });
  const info = await restore(fixture);
  expect(info).toMatchObject({ head, restoredFrom: "refs/ao/preserved/one/1" });
  expect(info.notes.join(" ")).toContain("moved");
  expect(readFileSync(join(info.path, "a.txt"), "utf8")).toBe("one\n2\n3\n4\n5\n6\n7\neight\n");
  expect(git(info.path, "status", "--porcelain")).toBe(" M a.txt\n?? new.txt\n");
  expect(git(fixture.repo, "rev-parse", "agent/one").trim()).toBe(head);
});

test("leaves a moved branch alone if the changes do not fit, and says how to get them", async () => {
  const { fixture } = await saved((path) => writeFiles(path, { "b.txt": "mine\n", "new.txt": "new" }));
  commitTo(fixture, "agent/one", { "b.txt": "theirs\n" });
  const info = await restore(fixture);
  expect(info.restoredFrom).toBeNull();
  expect(info.notes.join(" ")).toContain("git stash apply refs/ao/preserved/one/1");
  expect(git(info.path, "status", "--porcelain")).toBe("");
  expect(git(fixture.repo, "show", "refs/ao/preserved/one/1:new.txt")).toBe("new");
});

test("recreates a missing branch at the saved commit", async () => {
  const { fixture, info } = await saved((path) => {
    writeFiles(path, { "work.txt": "committed" });
    git(path, "add", "-A");
    git(path, "commit", "-q", "-m", "work");
    writeFiles(path, { "more.txt": "not committed" });
  });
  git(fixture.repo, "branch", "-q", "-D", "agent/one");
  const again = await restore(fixture);
  expect(again).toMatchObject({ baseCommit: info.baseCommit, restoredFrom: "refs/ao/preserved/one/1" });
  expect(again.notes.join(" ")).toContain("agent/one was gone");
  expect(git(again.path, "log", "-1", "--format=%s")).toBe("work\n");
  expect(git(again.path, "status", "--porcelain")).toBe("?? more.txt\n");
});

test("restores a detached HEAD, and the branch stays", async () => {
  const { fixture, info } = await saved((path) => {
    git(path, "checkout", "-q", "--detach");
    writeFiles(path, { "work.txt": "1" });
    git(path, "add", "-A");
    git(path, "commit", "-q", "-m", "on no branch");
    writeFiles(path, { "b.txt": "changed" });
  });
  const again = await restore(fixture);
  expect(git(again.path, "log", "-1", "--format=%s %D")).toBe("on no branch HEAD\n");
  expect(git(again.path, "status", "--porcelain")).toBe(" M b.txt\n");
  expect(again.notes.join(" ")).toContain("detached");
  expect(git(fixture.repo, "rev-parse", "agent/one").trim()).toBe(info.head);
});

test("returns to another branch that the agent had switched to", async () => {
  const { fixture } = await saved((path) => {
    git(path, "switch", "-q", "-c", "side");
    writeFiles(path, { "side.txt": "1" });
  });
  const again = await restore(fixture);
  expect(git(again.path, "symbolic-ref", "--short", "HEAD")).toBe("side\n");
  expect(git(again.path, "status", "--porcelain")).toBe("?? side.txt\n");
});

test("detaches HEAD if the agent had switched to the default branch, where it must not commit", async () => {
  const { fixture } = await saved((path) => {
    git(path, "switch", "-q", "--ignore-other-worktrees", "main");
    writeFiles(path, { "side.txt": "1" });
  });
  git(fixture.repo, "switch", "-q", "-c", "elsewhere");
  const again = await restore(fixture);
  expect(git(again.path, "status", "--porcelain", "--branch")).toBe("## HEAD (no branch)\n?? side.txt\n");
});

test("detaches HEAD if that other branch is taken meanwhile", async () => {
  const { fixture } = await saved((path) => {
    git(path, "switch", "-q", "-c", "side");
    writeFiles(path, { "side.txt": "1" });
  });
  git(fixture.repo, "switch", "-q", "side");
  const again = await restore(fixture);
  expect(git(again.path, "status", "--porcelain", "--branch")).toBe("## HEAD (no branch)\n?? side.txt\n");
});

test("restores the newest of several saved states", async () => {
  const { fixture } = await saved((path) => writeFiles(path, { "n.txt": "1" }));
  for (let generation = 2; generation <= 11; generation += 1) {
    const asked = fixture.request("one", { generation, restore: true });
    const info = await fixture.workspace.create(asked);
    writeFiles(info.path, { "n.txt": `${generation}` });
    await fixture.workspace.remove(fixture.refOf(info, asked));
  }
  const last = await fixture.workspace.create(fixture.request("one", { generation: 12, restore: true }));
  expect(last.restoredFrom).toBe("refs/ao/preserved/one/11");
  expect(readFileSync(join(last.path, "n.txt"), "utf8")).toBe("11");
});

test("does not restore a state again after its work was committed", async () => {
  const { fixture } = await saved((path) => writeFiles(path, { "draft.txt": "draft", "work.txt": "1" }));
  const second = await restore(fixture);
  rmSync(join(second.path, "draft.txt"));
  git(second.path, "add", "-A");
  git(second.path, "commit", "-q", "-m", "work, without the draft");
  const ref = fixture.refOf(second, fixture.request("one", { generation: 2 }));
  expect(await fixture.workspace.remove(ref)).toMatchObject({ kind: "removed", preservedRef: null });
  const third = await fixture.workspace.create(fixture.request("one", { generation: 3, restore: true }));
  expect(third).toMatchObject({ restoredFrom: null, notes: [] });
  expect(git(third.path, "status", "--porcelain")).toBe("");
  expect(git(fixture.repo, "show", "refs/ao/preserved/one/1:draft.txt")).toBe("draft");
  writeFiles(third.path, { "later.txt": "2" });
  const last = await fixture.workspace.remove(fixture.refOf(third, fixture.request("one", { generation: 3 })));
  expect(last).toMatchObject({ preservedRef: "refs/ao/preserved/one/2" });
});

test("saves a detached HEAD whose folder was deleted by hand", async () => {
  const fixture = openWorkspaceFixture(make, FILES);
  const info = await fixture.workspace.create(fixture.request("one"));
  git(info.path, "checkout", "-q", "--detach");
  git(info.path, "commit", "-q", "--allow-empty", "-m", "on no branch");
  rmSync(info.path, { recursive: true });
  const outcome = await fixture.workspace.remove(fixture.refOf(info, fixture.request("one")));
  expect(outcome).toMatchObject({ kind: "removed", preservedRef: "refs/ao/preserved/one/1" });
  expect(git((await restore(fixture)).path, "log", "-1", "--format=%s")).toBe("on no branch\n");
});

test("uses a kept folder as is", async () => {
  const fixture = openWorkspaceFixture(make, FILES);
  const info = await fixture.workspace.create(fixture.request("one"));
  writeFiles(info.path, { "inner/x.txt": "1" });
  git(join(info.path, "inner"), "init", "-q");
  expect((await fixture.workspace.remove(fixture.refOf(info, fixture.request("one")))).kind).toBe("kept");
  const again = await restore(fixture);
  expect(again.notes.join(" ")).toContain("used as it is");
  expect(existsSync(join(info.path, "inner/.git"))).toBe(true);
});

test("says which other branch or commit is checked out, except in the middle of a rebase", async () => {
  const fixture = openWorkspaceFixture(make, FILES);
  const info = await fixture.workspace.create(fixture.request("one"));
  const ref = fixture.refOf(info, fixture.request("one"));
  git(info.path, "checkout", "-q", "-b", "other");
  expect(await fixture.workspace.inspect(ref)).toEqual({ kind: "ready", on: "other" });
  git(info.path, "checkout", "-q", "--detach");
  expect(await fixture.workspace.inspect(ref)).toEqual({ kind: "ready", on: info.head.slice(0, 10) });
  mkdirSync(join(git(info.path, "rev-parse", "--absolute-git-dir").trim(), "rebase-merge"));
  expect(await fixture.workspace.inspect(ref)).toEqual({ kind: "ready" });
});

test("reports a branch that is missing under an existing folder", async () => {
  const fixture = openWorkspaceFixture(make, FILES);
  const info = await fixture.workspace.create(fixture.request("one"));
  const ref = fixture.refOf(info, fixture.request("one"));
  git(fixture.repo, "pack-refs", "--all");
  expect(await fixture.workspace.inspect(ref)).toEqual({ kind: "ready" });
  git(fixture.repo, "update-ref", "-d", "refs/heads/agent/one");
  expect(await fixture.workspace.inspect(ref)).toMatchObject({ kind: "branch-missing" });
  rmSync(join(info.path, ".git"));
  expect(await fixture.workspace.inspect(ref)).toMatchObject({ kind: "missing" });
});

test.each(["is there", "is gone too"])(
  "recreates a branch that was deleted under a worktree at its last commit, when the folder %s",
  async (folder) => {
    const fixture = openWorkspaceFixture(make, FILES);
    const info = await fixture.workspace.create(fixture.request("one"));
    git(info.path, "commit", "-q", "--allow-empty", "-m", "work");
    writeFiles(info.path, { "staged.txt": "1" });
    git(info.path, "add", "-A");
    git(fixture.repo, "update-ref", "-d", "refs/heads/agent/one");
    if (folder === "is gone too") rmSync(info.path, { recursive: true });
    const again = await restore(fixture);
    expect(again.notes.join(" ")).toContain("agent/one was gone");
    expect(git(fixture.repo, "log", "-1", "--format=%s", "agent/one")).toBe("work\n");
    expect(git(again.path, "status", "--porcelain")).toBe(folder === "is there" ? "A  staged.txt\n" : "");
  },
);

test("cuts a diff of more than 4 MiB, and reports it", async () => {
  const fixture = openWorkspaceFixture(make, FILES);
  const info = await fixture.workspace.create(fixture.request("one"));
  writeFiles(info.path, { "big.txt": "a line of text\n".repeat(400_000) });
  const diff = await fixture.workspace.diff(fixture.refOf(info, fixture.request("one")), info.baseCommit);
  expect(diff.length).toBeLessThan(4 * 1024 * 1024 + 200);
  expect(diff).toMatch(/\n# The diff is longer than 4 MiB; the rest was cut\.\n$/);
});

test("rejects a diff of a missing worktree or commit", async () => {
  const fixture = openWorkspaceFixture(make, FILES);
  const info = await fixture.workspace.create(fixture.request("one"));
  const ref = fixture.refOf(info, fixture.request("one"));
  await expect(fixture.workspace.diff(ref, "0".repeat(40))).rejects.toMatchObject({ code: "git-failed" });
  await fixture.workspace.remove(ref);
  await expect(fixture.workspace.diff(ref, info.baseCommit)).rejects.toMatchObject({ code: "workspace-missing" });
});
