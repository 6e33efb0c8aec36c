import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Host } from "../../../ports/host.ts";
import type { Workspace, WorkspaceInfo } from "../../../ports/workspace.ts";
import { git, writeFiles } from "../../../testing/git-repo.ts";
import { type Bench, openBench } from "../../../testing/workspace-bench.ts";
import { worktree } from "./worktree.ts";

const FILES = { "a.txt": "1\n2\n3\n4\n5\n6\n7\n8\n", "b.txt": "b\n" };

function make(host: Host): Workspace {
  return worktree.create(worktree.config.parse({}), host, { home: "", projectPath: "" });
}

async function saved(work: (path: string) => void): Promise<{ readonly bench: Bench; readonly info: WorkspaceInfo }> {
  const bench = openBench(make, FILES);
  const info = await bench.workspace.create(bench.request("one"));
  work(info.path);
  expect(await bench.workspace.remove(bench.refOf(info, bench.request("one")))).toMatchObject({ kind: "removed" });
  return { bench, info };
}

function restore(bench: Bench): Promise<WorkspaceInfo> {
  return bench.workspace.create(bench.request("one", { generation: 2, restore: true }));
}

/** Commits to a branch that nobody has checked out. */
function commitTo(bench: Bench, branch: string, files: Readonly<Record<string, string>>): string {
  git(bench.repo, "switch", "-q", branch);
  writeFiles(bench.repo, files);
  git(bench.repo, "add", "-A");
  git(bench.repo, "commit", "-q", "-m", "moved");
  const head = git(bench.repo, "rev-parse", "HEAD").trim();
  git(bench.repo, "switch", "-q", "main");
  return head;
}

test("brings changes back on top of a branch that has moved, when they fit", async () => {
  const { bench } = await saved((path) => {
    writeFiles(path, { "a.txt": FILES["a.txt"].replace("8", "eight"), "new.txt": "new" });
    git(path, "add", "new.txt");
  });
  const head = commitTo(bench, "agent/one", { "a.txt": FILES["a.txt"].replace("1", "one"), "c.txt": "c" });
  const info = await restore(bench);
  expect(info).toMatchObject({ head, restoredFrom: "refs/ao/preserved/one/1" });
  expect(info.notes.join(" ")).toContain("moved");
  expect(readFileSync(join(info.path, "a.txt"), "utf8")).toBe("one\n2\n3\n4\n5\n6\n7\neight\n");
  expect(git(info.path, "status", "--porcelain")).toBe(" M a.txt\n?? new.txt\n");
  expect(git(bench.repo, "rev-parse", "agent/one").trim()).toBe(head);
});

test("leaves a branch that has moved as it is when the changes do not fit, and says how to get them", async () => {
  const { bench } = await saved((path) => writeFiles(path, { "b.txt": "mine\n", "new.txt": "new" }));
  commitTo(bench, "agent/one", { "b.txt": "theirs\n" });
  const info = await restore(bench);
  expect(info.restoredFrom).toBeNull();
  expect(info.notes.join(" ")).toContain("git stash apply refs/ao/preserved/one/1");
  expect(git(info.path, "status", "--porcelain")).toBe("");
  expect(git(bench.repo, "show", "refs/ao/preserved/one/1:new.txt")).toBe("new");
});

test("rebuilds a branch that is gone at the saved commit", async () => {
  const { bench, info } = await saved((path) => {
    writeFiles(path, { "work.txt": "committed" });
    git(path, "add", "-A");
    git(path, "commit", "-q", "-m", "work");
    writeFiles(path, { "more.txt": "not committed" });
  });
  git(bench.repo, "branch", "-q", "-D", "agent/one");
  const again = await restore(bench);
  expect(again).toMatchObject({ baseCommit: info.baseCommit, restoredFrom: "refs/ao/preserved/one/1" });
  expect(again.notes.join(" ")).toContain("agent/one was gone");
  expect(git(again.path, "log", "-1", "--format=%s")).toBe("work\n");
  expect(git(again.path, "status", "--porcelain")).toBe("?? more.txt\n");
});

test("puts a detached HEAD back where it was, and the branch stays", async () => {
  const { bench, info } = await saved((path) => {
    git(path, "checkout", "-q", "--detach");
    writeFiles(path, { "work.txt": "1" });
    git(path, "add", "-A");
    git(path, "commit", "-q", "-m", "on no branch");
    writeFiles(path, { "b.txt": "changed" });
  });
  const again = await restore(bench);
  expect(git(again.path, "log", "-1", "--format=%s %D")).toBe("on no branch HEAD\n");
  expect(git(again.path, "status", "--porcelain")).toBe(" M b.txt\n");
  expect(again.notes.join(" ")).toContain("detached");
  expect(git(bench.repo, "rev-parse", "agent/one").trim()).toBe(info.head);
});

test("goes back to another branch that the agent had switched to", async () => {
  const { bench } = await saved((path) => {
    git(path, "switch", "-q", "-c", "side");
    writeFiles(path, { "side.txt": "1" });
  });
  const again = await restore(bench);
  expect(git(again.path, "symbolic-ref", "--short", "HEAD")).toBe("side\n");
  expect(git(again.path, "status", "--porcelain")).toBe("?? side.txt\n");
});

test("detaches HEAD when that other branch is taken meanwhile", async () => {
  const { bench } = await saved((path) => {
    git(path, "switch", "-q", "-c", "side");
    writeFiles(path, { "side.txt": "1" });
  });
  git(bench.repo, "switch", "-q", "side");
  const again = await restore(bench);
  expect(git(again.path, "status", "--porcelain", "--branch")).toBe("## HEAD (no branch)\n?? side.txt\n");
});

test("brings back the newest of several saved states", async () => {
  const { bench } = await saved((path) => writeFiles(path, { "n.txt": "1" }));
  for (let generation = 2; generation <= 11; generation += 1) {
    const asked = bench.request("one", { generation, restore: true });
    const info = await bench.workspace.create(asked);
    writeFiles(info.path, { "n.txt": `${generation}` });
    await bench.workspace.remove(bench.refOf(info, asked));
  }
  const last = await bench.workspace.create(bench.request("one", { generation: 12, restore: true }));
  expect(last.restoredFrom).toBe("refs/ao/preserved/one/11");
  expect(readFileSync(join(last.path, "n.txt"), "utf8")).toBe("11");
});

test("does not bring a state back a second time after its work was committed", async () => {
  const { bench } = await saved((path) => writeFiles(path, { "draft.txt": "draft", "work.txt": "1" }));
  const second = await restore(bench);
  rmSync(join(second.path, "draft.txt"));
  git(second.path, "add", "-A");
  git(second.path, "commit", "-q", "-m", "work, without the draft");
  const ref = bench.refOf(second, bench.request("one", { generation: 2 }));
  expect(await bench.workspace.remove(ref)).toMatchObject({ kind: "removed", preservedRef: null });
  const third = await bench.workspace.create(bench.request("one", { generation: 3, restore: true }));
  expect(third).toMatchObject({ restoredFrom: null, notes: [] });
  expect(git(third.path, "status", "--porcelain")).toBe("");
  expect(git(bench.repo, "show", "refs/ao/preserved/one/1:draft.txt")).toBe("draft");
  writeFiles(third.path, { "later.txt": "2" });
  const last = await bench.workspace.remove(bench.refOf(third, bench.request("one", { generation: 3 })));
  expect(last).toMatchObject({ preservedRef: "refs/ao/preserved/one/2" });
});

test("saves a detached HEAD whose folder was deleted by hand", async () => {
  const bench = openBench(make, FILES);
  const info = await bench.workspace.create(bench.request("one"));
  git(info.path, "checkout", "-q", "--detach");
  git(info.path, "commit", "-q", "--allow-empty", "-m", "on no branch");
  rmSync(info.path, { recursive: true });
  const outcome = await bench.workspace.remove(bench.refOf(info, bench.request("one")));
  expect(outcome).toMatchObject({ kind: "removed", preservedRef: "refs/ao/preserved/one/1" });
  expect(git((await restore(bench)).path, "log", "-1", "--format=%s")).toBe("on no branch\n");
});

test("uses a folder that had to be kept as it is", async () => {
  const bench = openBench(make, FILES);
  const info = await bench.workspace.create(bench.request("one"));
  writeFiles(info.path, { "inner/x.txt": "1" });
  git(join(info.path, "inner"), "init", "-q");
  expect((await bench.workspace.remove(bench.refOf(info, bench.request("one")))).kind).toBe("kept");
  const again = await restore(bench);
  expect(again.notes.join(" ")).toContain("used as it is");
  expect(existsSync(join(info.path, "inner/.git"))).toBe(true);
});

test("says when the branch is missing under a folder that is there", async () => {
  const bench = openBench(make, FILES);
  const info = await bench.workspace.create(bench.request("one"));
  const ref = bench.refOf(info, bench.request("one"));
  git(bench.repo, "pack-refs", "--all");
  expect(await bench.workspace.inspect(ref)).toEqual({ kind: "ready" });
  git(bench.repo, "update-ref", "-d", "refs/heads/agent/one");
  expect(await bench.workspace.inspect(ref)).toMatchObject({ kind: "branch-missing" });
  rmSync(join(info.path, ".git"));
  expect(await bench.workspace.inspect(ref)).toMatchObject({ kind: "missing" });
});

test.each(["is there", "is gone too"])(
  "rebuilds a branch that was deleted under a worktree at its last commit, when the folder %s",
  async (folder) => {
    const bench = openBench(make, FILES);
    const info = await bench.workspace.create(bench.request("one"));
    git(info.path, "commit", "-q", "--allow-empty", "-m", "work");
    writeFiles(info.path, { "staged.txt": "1" });
    git(info.path, "add", "-A");
    git(bench.repo, "update-ref", "-d", "refs/heads/agent/one");
    if (folder === "is gone too") rmSync(info.path, { recursive: true });
    const again = await restore(bench);
    expect(again.notes.join(" ")).toContain("agent/one was gone");
    expect(git(bench.repo, "log", "-1", "--format=%s", "agent/one")).toBe("work\n");
    expect(git(again.path, "status", "--porcelain")).toBe(folder === "is there" ? "A  staged.txt\n" : "");
  },
);

test("cuts a diff of more than 4 MiB, and says so", async () => {
  const bench = openBench(make, FILES);
  const info = await bench.workspace.create(bench.request("one"));
  writeFiles(info.path, { "big.txt": "a line of text\n".repeat(400_000) });
  const diff = await bench.workspace.diff(bench.refOf(info, bench.request("one")), info.baseCommit);
  expect(diff.length).toBeLessThan(4 * 1024 * 1024 + 200);
  expect(diff).toMatch(/\n# The diff is longer than 4 MiB; the rest was cut\.\n$/);
});

test("refuses a diff of a worktree or against a commit that is not there", async () => {
  const bench = openBench(make, FILES);
  const info = await bench.workspace.create(bench.request("one"));
  const ref = bench.refOf(info, bench.request("one"));
  await expect(bench.workspace.diff(ref, "0".repeat(40))).rejects.toMatchObject({ code: "git-failed" });
  await bench.workspace.remove(ref);
  await expect(bench.workspace.diff(ref, info.baseCommit)).rejects.toMatchObject({ code: "workspace-missing" });
});
