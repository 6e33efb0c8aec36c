import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { WorkspaceProject } from "../../../ports/workspace.ts";
import { git, writeFiles } from "../../../testing/git-repo.ts";
import { tempDir } from "../../../testing/temp.ts";
import { type Bench, openBench } from "../../../testing/workspace-bench.ts";
import { worktree } from "./worktree.ts";

function open(files?: Readonly<Record<string, string>>): Bench {
  return openBench((host) => worktree.create(worktree.config.parse({}), host, { home: "", projectPath: "" }), files);
}

function projectOf(bench: Bench, changes: Partial<WorkspaceProject>): WorkspaceProject {
  return { ...bench.request("x").project, ...changes };
}

function exclude(bench: Bench): string {
  return readFileSync(join(bench.repo, ".git/info/exclude"), "utf8");
}

test("excludes the folder of worktrees once, and keeps what the file has", async () => {
  const bench = open();
  writeFileSync(join(bench.repo, ".git/info/exclude"), "mine.txt");
  await Promise.all(["one", "two", "three"].map((id) => bench.workspace.create(bench.request(id))));
  expect(exclude(bench)).toBe("mine.txt\n/.worktrees/\n");
});

test("writes neither the shared configuration nor a tracked file", async () => {
  const bench = open();
  git(bench.repo, "config", "branch.autoSetupMerge", "always");
  const config = readFileSync(join(bench.repo, ".git/config"), "utf8");
  const info = await bench.workspace.create(bench.request("one"));
  writeFiles(info.path, { "new.txt": "1" });
  await bench.workspace.remove(bench.refOf(info, bench.request("one")));
  expect(readFileSync(join(bench.repo, ".git/config"), "utf8")).toBe(config);
  expect(git(bench.repo, "status", "--porcelain")).toBe("");
});

test("puts worktrees where worktreeDir says", async () => {
  const bench = open();
  const elsewhere = join(tempDir(), "trees");
  for (const [id, worktreeDir, path] of [
    ["one", "build/trees", join(bench.repo, "build/trees/one")],
    ["two", elsewhere, join(elsewhere, "two")],
  ] as const) {
    const info = await bench.workspace.create(bench.request(id, { project: projectOf(bench, { worktreeDir }) }));
    expect(info.path).toBe(path);
  }
  expect(git(bench.repo, "status", "--porcelain")).toBe("");
  expect(exclude(bench)).toContain("\n/build/trees/\n");
});

test("refuses a branch that is checked out elsewhere, and says where", async () => {
  const bench = open();
  const refused = bench.workspace.create(bench.request("one", { branch: "main" }));
  await expect(refused).rejects.toMatchObject({ code: "branch-taken", data: { path: bench.repo } });
  expect(existsSync(join(bench.repo, ".worktrees/one"))).toBe(false);
});

test("gives a branch that two sessions want to one of them", async () => {
  const bench = open();
  const ids = ["one", "two", "three"];
  const results = await Promise.allSettled(
    ids.map((id) => bench.workspace.create(bench.request(id, { branch: "agent/same" }))),
  );
  expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
  for (const result of results) {
    if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "branch-taken" });
  }
});

test("refuses a folder that is not ours and leaves it as it is", async () => {
  const bench = open();
  writeFiles(bench.repo, { ".worktrees/one/precious.txt": "mine" });
  await expect(bench.workspace.create(bench.request("one"))).rejects.toMatchObject({ code: "conflict" });
  expect(readFileSync(join(bench.repo, ".worktrees/one/precious.txt"), "utf8")).toBe("mine");
  expect(git(bench.repo, "branch", "--list", "agent/*")).toBe("");
  git(bench.repo, "worktree", "add", "-q", "-b", "mine", join(bench.repo, ".worktrees/two"));
  await expect(bench.workspace.create(bench.request("two"))).rejects.toMatchObject({ code: "conflict" });
  expect(await bench.workspace.reconcileCreate(bench.request("two"))).toMatchObject({ kind: "unknown" });
});

test("starts from origin's default branch when there is no local one", async () => {
  const bench = open();
  const clone = join(tempDir(), "clone");
  git(bench.repo, "clone", "-q", bench.repo, clone);
  git(clone, "checkout", "-q", "--detach");
  git(clone, "branch", "-q", "-D", "main");
  const config = readFileSync(join(clone, ".git/config"), "utf8");
  const project = { id: "c", path: clone, defaultBranch: "main" };
  const info = await bench.workspace.create(bench.request("one", { project }));
  expect(info.head).toBe(git(bench.repo, "rev-parse", "main").trim());
  expect(readFileSync(join(clone, ".git/config"), "utf8")).toBe(config);
});

test("says that a repository has no commit, and that a folder is no repository", async () => {
  const bench = open();
  const empty = tempDir();
  git(empty, "init", "-q", "-b", "main");
  const project = { id: "e", path: empty, defaultBranch: "main" };
  await expect(bench.workspace.create(bench.request("one", { project }))).rejects.toMatchObject({ code: "no-commits" });
  const plain = bench.request("one", { project: { ...project, path: tempDir() } });
  await expect(bench.workspace.create(plain)).rejects.toMatchObject({ code: "not-a-repository" });
});

test("runs the user's post-checkout hook, as git worktree add does", async () => {
  const bench = open();
  const hook = join(bench.repo, ".git/hooks/post-checkout");
  mkdirSync(join(bench.repo, ".git/hooks"), { recursive: true });
  writeFileSync(hook, '#!/bin/sh\necho "$PWD" >> "$(git rev-parse --git-common-dir)/hooked"\n');
  chmodSync(hook, 0o755);
  const info = await bench.workspace.create(bench.request("one"));
  expect(readFileSync(join(bench.repo, ".git/hooked"), "utf8")).toBe(`${info.path}\n`);
});

test("copies what .worktreeinclude names and git ignores, and nothing else", async () => {
  const bench = open({
    ".gitignore": ".env*\nsecrets/\n.worktreeinclude\n",
    "notes.txt": "tracked",
  });
  writeFiles(bench.repo, {
    ".worktreeinclude": "# local settings\n.env*\n!.env.never\nsecrets/**/*.json\nnotes.txt\nloose.txt\n",
    ".env": "A=1",
    ".env.never": "B=2",
    "secrets/deep/key one.json": "{}",
    "secrets/deep/key.pem": "no",
    "loose.txt": "untracked, but not ignored",
  });
  const info = await bench.workspace.create(bench.request("one"));
  expect(readFileSync(join(info.path, ".env"), "utf8")).toBe("A=1");
  expect(readFileSync(join(info.path, "secrets/deep/key one.json"), "utf8")).toBe("{}");
  for (const absent of [".env.never", "secrets/deep/key.pem", "loose.txt"]) {
    expect(existsSync(join(info.path, absent))).toBe(false);
  }
  expect(git(info.path, "status", "--porcelain")).toBe("");
});

test("links shared paths, hides the links from git, and notes what could not be linked", async () => {
  const bench = open({ ".gitignore": "node_modules/\n", "own/file.txt": "tracked" });
  writeFiles(bench.repo, { "node_modules/x/index.js": "1", "cache/data [1].bin": "2", "own/other.txt": "3" });
  const symlinks = ["node_modules", "./cache/data [1].bin", "missing", "own/file.txt"];
  const project = projectOf(bench, { symlinks });
  const info = await bench.workspace.create(bench.request("one", { project }));
  expect(readlinkSync(join(info.path, "node_modules"))).toBe(join(bench.repo, "node_modules"));
  expect(readFileSync(join(info.path, "cache/data [1].bin"), "utf8")).toBe("2");
  expect(lstatSync(join(info.path, "own/file.txt")).isFile()).toBe(true);
  expect(info.notes).toEqual([
    `missing was not linked: it does not exist in ${bench.repo}.`,
    "own/file.txt was not linked: the branch has its own.",
  ]);
  expect(git(info.path, "status", "--porcelain", "-uall")).toBe("");
  const outcome = await bench.workspace.remove(bench.refOf(info, bench.request("one")));
  expect(outcome).toMatchObject({ kind: "removed", preservedRef: null });
  expect(readFileSync(join(bench.repo, "node_modules/x/index.js"), "utf8")).toBe("1");
});

test.each(["../outside", "/etc/passwd", "a/../../b", ".git/config", "", "."])(
  "refuses to link %j before anything is made",
  async (path) => {
    const bench = open();
    const project = projectOf(bench, { symlinks: [path] });
    await expect(bench.workspace.create(bench.request("one", { project }))).rejects.toMatchObject({
      code: "config-invalid",
    });
    expect(existsSync(join(bench.repo, ".worktrees"))).toBe(false);
  },
);

test("does not write through a tracked link that leads out of the worktree", async () => {
  const outside = tempDir();
  const bench = open({ ".gitignore": "*.local\n.worktreeinclude\n" });
  symlinkSync(outside, join(bench.repo, "out"));
  git(bench.repo, "add", "out");
  git(bench.repo, "commit", "-q", "-m", "a link");
  writeFiles(outside, { "shared.txt": "outside" });
  const project = projectOf(bench, { symlinks: ["out/shared.txt"] });
  const info = await bench.workspace.create(bench.request("one", { project }));
  expect(info.notes).toHaveLength(1);
  expect(lstatSync(join(outside, "shared.txt")).isFile()).toBe(true);
});

test("goes on after a postCreate that failed, and runs it again", async () => {
  const bench = open();
  const failing = projectOf(bench, { postCreate: ["echo tried >> .git-tries; echo boom; false"] });
  const first = bench.workspace.create(bench.request("one", { project: failing }));
  await expect(first).rejects.toMatchObject({ code: "plugin-failed", data: { exitCode: 1, output: "boom" } });
  expect(await bench.workspace.reconcileCreate(bench.request("one"))).toEqual({ kind: "not-done" });
  const working = projectOf(bench, { postCreate: ["echo again >> .git-tries"] });
  const info = await bench.workspace.create(bench.request("one", { project: working, attempt: 2 }));
  expect(readFileSync(join(info.path, ".git-tries"), "utf8")).toBe("tried\nagain\n");
});

test("ends a postCreate that takes too long", async () => {
  const config = worktree.config.parse({ postCreateTimeoutMs: 200 });
  const bench = openBench((host) => worktree.create(config, host, { home: "", projectPath: "" }));
  const project = projectOf(bench, { postCreate: ["sleep 60"] });
  await expect(bench.workspace.create(bench.request("one", { project }))).rejects.toThrow(/sleep 60.*did not end/);
});

test("makes twenty worktrees at once in far less than they would take one by one", async () => {
  const bench = open();
  const started = performance.now();
  await Promise.all(Array.from({ length: 20 }, (_, at) => bench.workspace.create(bench.request(`many-${at}`))));
  expect(performance.now() - started).toBeLessThan(5000);
});
