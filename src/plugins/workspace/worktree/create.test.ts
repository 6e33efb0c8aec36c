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
import type { Host } from "../../../ports/host.ts";
import type { WorkspaceProject } from "../../../ports/workspace.ts";
import { git, writeFiles } from "../../../testing/git-repo.ts";
import { tempDir } from "../../../testing/temp.ts";
import { openWorkspaceFixture, type WorkspaceFixture } from "../../../testing/workspace-fixture.ts";
import { worktree } from "./worktree.ts";

function open(files?: Readonly<Record<string, string>>): WorkspaceFixture {
  return openWorkspaceFixture(
    (host) => worktree.create(worktree.config.parse({}), host, { home: tempDir(), projectPath: "" }),
    files,
  );
}

function projectOf(fixture: WorkspaceFixture, changes: Partial<WorkspaceProject>): WorkspaceProject {
  return { ...fixture.request("x").project, ...changes };
}

function exclude(fixture: WorkspaceFixture): string {
  return readFileSync(join(fixture.repo, ".git/info/exclude"), "utf8");
}

test("excludes the worktrees folder once, and keeps the file's content", async () => {
  const fixture = open();
  writeFileSync(join(fixture.repo, ".git/info/exclude"), "mine.txt");
  await Promise.all(["one", "two", "three"].map((id) => fixture.workspace.create(fixture.request(id))));
  expect(exclude(fixture)).toBe("mine.txt\n/.worktrees/\n");
});

test("writes neither the shared configuration nor a tracked file", async () => {
  const fixture = open();
  git(fixture.repo, "config", "branch.autoSetupMerge", "always");
  const config = readFileSync(join(fixture.repo, ".git/config"), "utf8");
  const info = await fixture.workspace.create(fixture.request("one"));
  writeFiles(info.path, { "new.txt": "1" });
  await fixture.workspace.remove(fixture.refOf(info, fixture.request("one")));
  expect(readFileSync(join(fixture.repo, ".git/config"), "utf8")).toBe(config);
  expect(git(fixture.repo, "status", "--porcelain")).toBe("");
});

test("puts worktrees where worktreeDir says", async () => {
  const fixture = open();
  const elsewhere = join(tempDir(), "trees");
  for (const [id, worktreeDir, path] of [
    ["one", "build/trees", join(fixture.repo, "build/trees/one")],
    ["two", elsewhere, join(elsewhere, "two")],
  ] as const) {
    const info = await fixture.workspace.create(fixture.request(id, { project: projectOf(fixture, { worktreeDir }) }));
    expect(info.path).toBe(path);
  }
  expect(git(fixture.repo, "status", "--porcelain")).toBe("");
  expect(exclude(fixture)).toContain("\n/build/trees/\n");
});

test("rejects a branch that is checked out elsewhere, and says where", async () => {
  const fixture = open();
  git(fixture.repo, "switch", "-q", "-c", "busy");
  const refused = fixture.workspace.create(fixture.request("one", { branch: "busy" }));
  await expect(refused).rejects.toMatchObject({ code: "branch-taken", data: { path: fixture.repo } });
  expect(existsSync(join(fixture.repo, ".worktrees/one"))).toBe(false);
});

test("gives a branch that two sessions want to one of them", async () => {
  const fixture = open();
  const ids = ["one", "two", "three"];
  const results = await Promise.allSettled(
    ids.map((id) => fixture.workspace.create(fixture.request(id, { branch: "agent/same" }))),
  );
  expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
  for (const result of results) {
    if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "branch-taken" });
  }
});

test("rejects a folder that is not ours and leaves it alone", async () => {
  const fixture = open();
  writeFiles(fixture.repo, { ".worktrees/one/precious.txt": "mine" });
  await expect(fixture.workspace.create(fixture.request("one"))).rejects.toMatchObject({ code: "conflict" });
  expect(readFileSync(join(fixture.repo, ".worktrees/one/precious.txt"), "utf8")).toBe("mine");
  expect(git(fixture.repo, "branch", "--list", "agent/*")).toBe("");
  git(fixture.repo, "worktree", "add", "-q", "-b", "mine", join(fixture.repo, ".worktrees/two"));
  await expect(fixture.workspace.create(fixture.request("two"))).rejects.toMatchObject({ code: "conflict" });
  expect(await fixture.workspace.reconcileCreate(fixture.request("two"))).toMatchObject({ kind: "unknown" });
});

test("starts from origin's default branch if there is no local one", async () => {
  const fixture = open();
  const clone = join(tempDir(), "clone");
  git(fixture.repo, "clone", "-q", fixture.repo, clone);
  git(clone, "checkout", "-q", "--detach");
  git(clone, "branch", "-q", "-D", "main");
  const config = readFileSync(join(clone, ".git/config"), "utf8");
  const project = { id: "c", path: clone, defaultBranch: "main" };
  const info = await fixture.workspace.create(fixture.request("one", { project }));
  expect(info.head).toBe(git(fixture.repo, "rev-parse", "main").trim());
  expect(readFileSync(join(clone, ".git/config"), "utf8")).toBe(config);
});

test("reports that a repository has no commit, and that a folder is not a repository", async () => {
  const fixture = open();
  const empty = tempDir();
  git(empty, "init", "-q", "-b", "main");
  const project = { id: "e", path: empty, defaultBranch: "main" };
  await expect(fixture.workspace.create(fixture.request("one", { project }))).rejects.toMatchObject({
    code: "no-commits",
  });
  const plain = fixture.request("one", { project: { ...project, path: tempDir() } });
  await expect(fixture.workspace.create(plain)).rejects.toMatchObject({ code: "not-a-repository" });
});

test("runs the user's post-checkout hook, as git worktree add does", async () => {
  const fixture = open();
  const hook = join(fixture.repo, ".git/hooks/post-checkout");
  mkdirSync(join(fixture.repo, ".git/hooks"), { recursive: true });
  writeFileSync(hook, '#!/bin/sh\necho "$PWD" >> "$(git rev-parse --git-common-dir)/hooked"\n');
  chmodSync(hook, 0o755);
  const info = await fixture.workspace.create(fixture.request("one"));
  expect(readFileSync(join(fixture.repo, ".git/hooked"), "utf8")).toBe(`${info.path}\n`);
});

test("copies ignored files that .worktreeinclude lists, and nothing else", async () => {
  const fixture = open({
    ".gitignore": ".env*\nsecrets/\n.worktreeinclude\n",
    "notes.txt": "tracked",
  });
  writeFiles(fixture.repo, {
    ".worktreeinclude": "# local settings\n.env*\n!.env.never\nsecrets/**/*.json\nnotes.txt\nloose.txt\n",
    ".env": "A=1",
    ".env.never": "B=2",
    "secrets/deep/key one.json": "{}",
    "secrets/deep/key.pem": "no",
    "loose.txt": "untracked, but not ignored",
  });
  const info = await fixture.workspace.create(fixture.request("one"));
  expect(readFileSync(join(info.path, ".env"), "utf8")).toBe("A=1");
  expect(readFileSync(join(info.path, "secrets/deep/key one.json"), "utf8")).toBe("{}");
  for (const absent of [".env.never", "secrets/deep/key.pem", "loose.txt"]) {
    expect(existsSync(join(info.path, absent))).toBe(false);
  }
  expect(git(info.path, "status", "--porcelain")).toBe("");
});

test("a rule of .worktreeinclude that fits in many ways keeps nobody busy", async () => {
  const fixture = open({ ".gitignore": "a*\n", ".worktreeinclude": `${"*[a-z]".repeat(30)}*b\n` });
  writeFiles(fixture.repo, { ["a".repeat(250)]: "x" });
  const info = await fixture.workspace.create(fixture.request("one"));
  expect(existsSync(join(info.path, "a".repeat(250)))).toBe(false);
});

test("links shared paths, hides the links from git, and notes what could not be linked", async () => {
  const fixture = open({ ".gitignore": "node_modules/\n", "own/file.txt": "tracked" });
  writeFiles(fixture.repo, { "node_modules/x/index.js": "1", "cache/data [1].bin": "2", "own/other.txt": "3" });
  const symlinks = ["node_modules", "./cache/data [1].bin", "missing", "own/file.txt"];
  const project = projectOf(fixture, { symlinks });
  const info = await fixture.workspace.create(fixture.request("one", { project }));
  expect(readlinkSync(join(info.path, "node_modules"))).toBe(join(fixture.repo, "node_modules"));
  expect(readFileSync(join(info.path, "cache/data [1].bin"), "utf8")).toBe("2");
  expect(lstatSync(join(info.path, "own/file.txt")).isFile()).toBe(true);
  expect(info.notes).toEqual([
    `missing was not linked: it does not exist in ${fixture.repo}.`,
    "own/file.txt was not linked: the branch has its own.",
  ]);
  expect(git(info.path, "status", "--porcelain", "-uall")).toBe("");
  const outcome = await fixture.workspace.remove(fixture.refOf(info, fixture.request("one")));
  expect(outcome).toMatchObject({ kind: "removed", preservedRef: null });
  expect(readFileSync(join(fixture.repo, "node_modules/x/index.js"), "utf8")).toBe("1");
});

test.each(["../outside", "/etc/passwd", "a/../../b", ".git/config", "", "."])(
  "refuses to link %j before anything is created",
  async (path) => {
    const fixture = open();
    const project = projectOf(fixture, { symlinks: [path] });
    await expect(fixture.workspace.create(fixture.request("one", { project }))).rejects.toMatchObject({
      code: "config-invalid",
    });
    expect(existsSync(join(fixture.repo, ".worktrees"))).toBe(false);
  },
);

test("does not write through a tracked link that leads out of the worktree", async () => {
  const outside = tempDir();
  const fixture = open({ ".gitignore": "*.local\n.worktreeinclude\n" });
  symlinkSync(outside, join(fixture.repo, "out"));
  git(fixture.repo, "add", "out");
  git(fixture.repo, "commit", "-q", "-m", "a link");
  writeFiles(outside, { "shared.txt": "outside" });
  const project = projectOf(fixture, { symlinks: ["out/shared.txt"] });
  const info = await fixture.workspace.create(fixture.request("one", { project }));
  expect(info.notes).toHaveLength(1);
  expect(lstatSync(join(outside, "shared.txt")).isFile()).toBe(true);
});

test("continues after a postCreate that failed, and runs it again", async () => {
  const fixture = open();
  const failing = projectOf(fixture, { postCreate: ["echo tried >> .git-tries; echo boom; false"] });
  const first = fixture.workspace.create(fixture.request("one", { project: failing }));
  await expect(first).rejects.toMatchObject({ code: "plugin-failed", data: { exitCode: 1, output: "boom" } });
  expect(await fixture.workspace.reconcileCreate(fixture.request("one"))).toEqual({ kind: "not-done" });
  const working = projectOf(fixture, { postCreate: ["echo again >> .git-tries"] });
  const info = await fixture.workspace.create(fixture.request("one", { project: working, attempt: 2 }));
  expect(readFileSync(join(info.path, ".git-tries"), "utf8")).toBe("tried\nagain\n");
});

test("ends a postCreate that takes too long", async () => {
  const config = worktree.config.parse({ postCreateTimeoutMs: 200 });
  const fixture = openWorkspaceFixture((host) => worktree.create(config, host, { home: tempDir(), projectPath: "" }));
  const project = projectOf(fixture, { postCreate: ["sleep 60"] });
  await expect(fixture.workspace.create(fixture.request("one", { project }))).rejects.toThrow(/sleep 60.*did not end/);
});

test("checks out several worktrees in parallel", async () => {
  const names = ["one", "two", "three"];
  let waiting = 0;
  let letGo = (): void => undefined;
  const everyone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  // Each check-out waits here for the others; one after another, the first would wait forever.
  const fixture = openWorkspaceFixture((host) => {
    const exec: Host["exec"] = async (request) => {
      if (request.args.includes("checkout")) {
        waiting += 1;
        if (waiting === names.length) letGo();
        await everyone;
      }
      return host.exec(request);
    };
    return worktree.create(worktree.config.parse({}), { ...host, exec }, { home: tempDir(), projectPath: "" });
  });
  const made = await Promise.all(names.map((name) => fixture.workspace.create(fixture.request(name))));
  expect(made).toHaveLength(names.length);
  expect(waiting).toBe(names.length);
});

test("never checks out the default branch or a symbolic ref, however long ago the branch was named", async () => {
  const fixture = open();
  git(fixture.repo, "switch", "-q", "-c", "elsewhere");
  git(fixture.repo, "branch", "plain");
  git(fixture.repo, "symbolic-ref", "refs/heads/alias", "refs/heads/main");
  git(fixture.repo, "symbolic-ref", "refs/heads/twice", "refs/heads/alias");
  git(fixture.repo, "symbolic-ref", "refs/heads/nickname", "refs/heads/plain");
  git(fixture.repo, "symbolic-ref", "refs/heads/dangling", "refs/heads/not-yet");
  for (const [branch, message] of [
    ["main", "main is the default branch; sessions work on their own branch."],
    ["MAIN", "MAIN is the default branch; sessions work on their own branch."],
    ["alias", "alias is a symbolic ref to main; main is the default branch; sessions work on their own branch."],
    ["twice", "twice is a symbolic ref to main; main is the default branch; sessions work on their own branch."],
    ["nickname", "nickname is a symbolic ref to plain; sessions work on their own branch."],
    ["dangling", "dangling is a symbolic ref to not-yet; sessions work on their own branch."],
  ] as const) {
    for (const restore of [false, true]) {
      const created = fixture.workspace.create(fixture.request("one", { branch, restore }));
      await expect(created, branch).rejects.toMatchObject({ message });
    }
  }
  expect(existsSync(join(fixture.repo, ".worktrees/one"))).toBe(false);
});
