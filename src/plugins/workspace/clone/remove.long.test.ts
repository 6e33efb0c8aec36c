import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RemoveOutcome, WorkspaceInfo, WorkspaceRef } from "../../../ports/workspace.ts";
import { git, writeFiles } from "../../../testing/git-repo.ts";
import { tempDir } from "../../../testing/temp.ts";
import { openWorkspaceFixture, type WorkspaceFixture } from "../../../testing/workspace-fixture.ts";
import { clone } from "./clone.ts";

interface Opened extends WorkspaceFixture {
  readonly info: WorkspaceInfo;
  readonly ref: WorkspaceRef;
  /** Removes the clone, deletes the mirror and everything that git may prune, and restores. */
  comeBack(generation?: number): Promise<WorkspaceInfo>;
  remove(): Promise<RemoveOutcome>;
}

async function open(): Promise<Opened> {
  const home = tempDir();
  const fixture = openWorkspaceFixture((host) => clone.create(clone.config.parse({}), host, { home, projectPath: "" }));
  const info = await fixture.workspace.create(fixture.request("one"));
  const ref = fixture.refOf(info, fixture.request("one"));
  const remove = (): Promise<RemoveOutcome> => fixture.workspace.remove(ref);
  return {
    ...fixture,
    info,
    ref,
    remove,
    comeBack: async (generation = 2) => {
      const outcome = await fixture.workspace.remove({ ...ref, generation: generation - 1 });
      expect(outcome.kind).toBe("removed");
      rmSync(join(home, "clones"), { recursive: true });
      git(fixture.repo, "reflog", "expire", "--expire=now", "--all");
      git(fixture.repo, "gc", "-q", "--prune=now");
      return fixture.workspace.create(fixture.request("one", { generation, restore: true }));
    },
  };
}

function commit(path: string, name: string): string {
  writeFiles(path, { [name]: name });
  git(path, "add", "-A");
  git(path, "commit", "-q", "-m", name);
  return git(path, "rev-parse", "HEAD").trim();
}

test("publishes the branch before the folder is removed", async () => {
  const { info, repo, remove } = await open();
  const head = commit(info.path, "work");
  expect(await remove()).toEqual({ kind: "removed", preservedRef: null, head });
  expect(existsSync(info.path)).toBe(false);
  expect(git(repo, "rev-parse", "agent/one").trim()).toBe(head);
  expect(git(repo, "for-each-ref", "refs/ao")).toBe("");
});

test("restores every stash entry, in order", async () => {
  const { info, comeBack } = await open();
  for (const name of ["first", "second", "third"]) {
    writeFiles(info.path, { "README.md": name, [`${name}.txt`]: name });
    git(info.path, "stash", "push", "-q", "--include-untracked", "-m", name);
  }
  const before = git(info.path, "stash", "list", "--format=%H %gs");
  const again = await comeBack();
  expect(git(again.path, "stash", "list", "--format=%H %gs")).toBe(before);
  git(again.path, "stash", "pop", "-q", "stash@{1}");
  expect(readFileSync(join(again.path, "second.txt"), "utf8")).toBe("second");
});

test("does not restore a stash again after it was used", async () => {
  const { info, comeBack } = await open();
  writeFiles(info.path, { "README.md": "later" });
  git(info.path, "stash", "push", "-q");
  const again = await comeBack();
  git(again.path, "stash", "pop", "-q");
  git(again.path, "commit", "-q", "-a", "-m", "used");
  const third = await comeBack(3);
  expect(git(third.path, "stash", "list")).toBe("");
  expect(readFileSync(join(third.path, "README.md"), "utf8")).toBe("later");
});

test("restores branches, tags and notes that only the clone had", async () => {
  const { info, repo, comeBack } = await open();
  git(info.path, "switch", "-q", "-c", "side");
  const side = commit(info.path, "side");
  git(info.path, "tag", "-a", "-m", "a word about it", "mark", "HEAD");
  git(info.path, "notes", "add", "-m", "noted");
  git(info.path, "switch", "-q", "agent/one");
  git(info.path, "branch", "-q", "--no-track", "idle", "project/main");
  const again = await comeBack();
  expect(git(again.path, "rev-parse", "side").trim()).toBe(side);
  expect(git(again.path, "tag", "-n", "--list", "mark")).toContain("a word about it");
  expect(git(again.path, "notes", "show", side)).toBe("noted\n");
  expect(git(repo, "branch", "--format=%(refname:short)")).toBe("agent/one\nmain\n");
});

test("returns to another branch that the agent had switched to", async () => {
  const { info, comeBack } = await open();
  git(info.path, "switch", "-q", "-c", "side");
  const side = commit(info.path, "side");
  writeFiles(info.path, { "new.txt": "1" });
  const again = await comeBack();
  expect(git(again.path, "symbolic-ref", "--short", "HEAD")).toBe("side\n");
  expect(again.head).toBe(side);
  expect(git(again.path, "status", "--porcelain")).toBe("?? new.txt\n");
  expect(git(again.path, "rev-parse", "agent/one").trim()).toBe(info.head);
});

test("restores a detached HEAD", async () => {
  const { info, comeBack } = await open();
  git(info.path, "checkout", "-q", "--detach");
  const head = commit(info.path, "loose");
  const again = await comeBack();
  expect(git(again.path, "rev-parse", "HEAD").trim()).toBe(head);
  expect(() => git(again.path, "symbolic-ref", "-q", "HEAD")).toThrow();
  expect(git(again.path, "rev-parse", "agent/one").trim()).toBe(info.head);
});

test("keeps the folder while its branch is checked out, and removes it after", async () => {
  const { info, repo, remove } = await open();
  git(repo, "switch", "-q", "agent/one");
  const head = commit(info.path, "work");
  expect(await remove()).toEqual({ kind: "kept", reason: expect.stringContaining(`checked out at ${repo}`) });
  expect(git(info.path, "rev-parse", "HEAD").trim()).toBe(head);
  git(repo, "switch", "-q", "main");
  expect(await remove()).toEqual({ kind: "removed", preservedRef: null, head });
});

test("keeps the folder if others have put commits on its branch", async () => {
  const { info, repo, remove } = await open();
  git(repo, "switch", "-q", "agent/one");
  commit(repo, "theirs");
  git(repo, "switch", "-q", "main");
  commit(info.path, "mine");
  expect(await remove()).toEqual({ kind: "kept", reason: expect.stringContaining("not in the clone") });
});

test("keeps the folder of a clone with its own worktrees", async () => {
  const { info, remove } = await open();
  git(info.path, "worktree", "add", "-q", "--detach", join(tempDir(), "linked"));
  expect(await remove()).toEqual({ kind: "kept", reason: expect.stringContaining("a worktree of its own, linked") });
});

test("restores the branch that was deleted in the project while the folder was kept", async () => {
  const { info, repo, request, workspace } = await open();
  const head = commit(info.path, "work");
  git(repo, "branch", "-q", "-D", "agent/one");
  const again = await workspace.create(request("one", { generation: 2, restore: true }));
  expect(again.notes.join(" ")).toContain("rebuilt");
  expect(git(repo, "rev-parse", "agent/one").trim()).toBe(head);
});

test("is not merged while the clone has something that the project lacks", async () => {
  const { info, ref, workspace, repo } = await open();
  commit(info.path, "work");
  expect(await workspace.checkMerged(ref)).toMatchObject({
    merged: false,
    reason: expect.stringContaining("published"),
  });
  await workspace.publish?.(ref);
  git(repo, "merge", "-q", "agent/one");
  expect((await workspace.checkMerged(ref)).merged).toBe(true);
  expect(await workspace.deleteBranch(ref)).toBe(false);
  writeFiles(info.path, { "README.md": "later" });
  git(info.path, "stash", "push", "-q");
  expect(await workspace.checkMerged(ref)).toMatchObject({ merged: false, reason: expect.stringContaining("stash/1") });
});

test("lists kept refs among what a cleanup deletes", async () => {
  const { info, ref, repo, remove, workspace } = await open();
  git(info.path, "switch", "-q", "-c", "side");
  const commitId = commit(info.path, "side");
  await remove();
  const kept = [{ ref: "refs/ao/kept/one/1/heads/side", commit: commitId }];
  expect(await workspace.dropPreserved(ref, true)).toEqual(kept);
  expect(await workspace.dropPreserved(ref, false)).toEqual(kept);
  expect(git(repo, "for-each-ref", "refs/ao")).toBe("");
});
