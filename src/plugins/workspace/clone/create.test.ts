import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { git, makeRepo, writeFiles } from "../../../testing/git-repo.ts";
import { tempDir } from "../../../testing/temp.ts";
import { type Bench, openBench } from "../../../testing/workspace-bench.ts";
import { clone } from "./clone.ts";

function open(files?: Readonly<Record<string, string>>): Bench & { readonly home: string } {
  const home = tempDir();
  const make = (host: Parameters<typeof clone.create>[1]) =>
    clone.create(clone.config.parse({}), host, { home, projectPath: "" });
  return { ...openBench(make, files), home };
}

function at(bench: Bench, path: string): ReturnType<Bench["request"]> {
  const asked = bench.request("one");
  return { ...asked, project: { ...asked.project, path } };
}

test("needs neither the mirror nor the project's objects once it is made", async () => {
  const bench = open();
  const info = await bench.workspace.create(bench.request("one"));
  rmSync(join(bench.home, "clones"), { recursive: true });
  rmSync(join(bench.repo, ".git/objects"), { recursive: true });
  expect(existsSync(join(info.path, ".git/objects/info/alternates"))).toBe(false);
  git(info.path, "fsck", "--full", "--strict");
  expect(git(info.path, "show", "HEAD:README.md")).toBe("# sample\n");
});

test("shares the mirror's files where it can", async () => {
  const bench = open();
  const info = await bench.workspace.create(bench.request("one"));
  const [mirror = ""] = readdirSync(join(bench.home, "clones"));
  const object = git(info.path, "rev-parse", "HEAD").trim().replace(/^../, "$&/");
  const [a, b] = [join(bench.home, "clones", mirror), join(info.path, ".git")];
  expect(lstatSync(join(a, "objects", object)).ino).toBe(lstatSync(join(b, "objects", object)).ino);
});

test("copies the mirror's files to another file system", async (context) => {
  const bench = open();
  const isOther = existsSync("/dev/shm") && lstatSync("/dev/shm").dev !== lstatSync(bench.repo).dev;
  if (!isOther) return context.skip("needs a second file system at /dev/shm");
  const worktreeDir = mkdtempSync("/dev/shm/ao-test-");
  onTestFinished(() => rmSync(worktreeDir, { recursive: true }));
  const project = { ...bench.request("one").project, worktreeDir };
  const info = await bench.workspace.create(bench.request("one", { project }));
  expect(git(info.path, "status", "--porcelain")).toBe("");
});

test("minds no setting of the user that is meant for strangers", async () => {
  const bench = open();
  const file = join(tempDir(), "gitconfig");
  writeFileSync(file, "[safe]\nbareRepository = explicit\n[protocol]\nallow = never\n[transfer]\nfsckObjects = true\n");
  vi.stubEnv("GIT_CONFIG_GLOBAL", file);
  onTestFinished(() => void vi.unstubAllEnvs());
  const info = await bench.workspace.create(bench.request("one"));
  writeFiles(info.path, { "new.txt": "1" });
  expect((await bench.workspace.remove(bench.refOf(info, bench.request("one")))).kind).toBe("removed");
});

test("writes neither the project's configuration nor a tracked file", async () => {
  const bench = open();
  const config = readFileSync(join(bench.repo, ".git/config"), "utf8");
  const info = await bench.workspace.create(bench.request("one"));
  git(info.path, "config", "user.name", "Agent");
  expect(readFileSync(join(bench.repo, ".git/config"), "utf8")).toBe(config);
  expect(git(bench.repo, "status", "--porcelain")).toBe("");
  expect(git(bench.repo, "worktree", "list").trim().split("\n")).toHaveLength(1);
});

test("has the project's settings and remotes, and the project as one more", async () => {
  const bench = open();
  git(bench.repo, "config", "user.name", "Someone");
  git(bench.repo, "remote", "add", "origin", "https://example.com/x.git");
  git(bench.repo, "update-ref", "refs/remotes/origin/next", "main");
  const info = await bench.workspace.create(bench.request("one"));
  expect(git(info.path, "config", "user.name")).toBe("Someone\n");
  expect(git(info.path, "remote", "get-url", "origin")).toBe("https://example.com/x.git\n");
  expect(git(info.path, "remote", "get-url", "project")).toBe(`${bench.repo}\n`);
  expect(git(info.path, "for-each-ref", "--format=%(refname)", "refs/remotes/origin")).toBe(
    "refs/remotes/origin/next\n",
  );
  expect(git(info.path, "branch", "--format=%(refname)")).toBe("refs/heads/agent/one\n");
});

test("has the project as origin when that has none", async () => {
  const bench = open();
  const info = await bench.workspace.create(bench.request("one"));
  git(bench.repo, "commit", "-q", "--allow-empty", "-m", "second");
  git(info.path, "fetch", "-q");
  expect(git(info.path, "rev-parse", "origin/main")).toBe(git(bench.repo, "rev-parse", "main"));
});

test("hides what the user hides in this repository alone", async () => {
  const bench = open();
  writeFileSync(join(bench.repo, ".git/info/exclude"), "notes.txt\n");
  const info = await bench.workspace.create(bench.request("one"));
  writeFiles(info.path, { "notes.txt": "1" });
  expect(git(info.path, "status", "--porcelain")).toBe("");
});

test("refuses a branch that the main checkout or another clone is on", async () => {
  const bench = open();
  git(bench.repo, "switch", "-q", "-c", "agent/one");
  await expect(bench.workspace.create(bench.request("one"))).rejects.toMatchObject({ code: "branch-taken" });
  git(bench.repo, "switch", "-q", "main");
  const info = await bench.workspace.create(bench.request("one"));
  const second = bench.workspace.create(bench.request("two", { branch: "agent/one" }));
  await expect(second).rejects.toMatchObject({ code: "branch-taken", data: { path: info.path } });
});

test("sees what was committed to the project after the mirror was made", async () => {
  const bench = open();
  await bench.workspace.create(bench.request("one"));
  git(bench.repo, "branch", "-q", "gone");
  await bench.workspace.create(bench.request("two"));
  git(bench.repo, "branch", "-q", "-D", "gone");
  git(bench.repo, "branch", "-q", "gone/deeper");
  git(bench.repo, "commit", "-q", "--allow-empty", "-m", "second");
  const info = await bench.workspace.create(bench.request("three"));
  expect(info.head).toBe(git(bench.repo, "rev-parse", "main").trim());
});

test("clones a bare project", async () => {
  const bench = open();
  const bare = join(tempDir(), "bare.git");
  git(bench.repo, "clone", "-q", "--bare", bench.repo, bare);
  const project = { ...bench.request("one").project, path: bare, worktreeDir: join(tempDir(), "trees") };
  const info = await bench.workspace.create(bench.request("one", { project }));
  expect(git(info.path, "status", "--porcelain")).toBe("");
});

test("clones a shallow project, and publishes to it", async () => {
  const bench = open();
  git(bench.repo, "commit", "-q", "--allow-empty", "-m", "second");
  const shallow = join(tempDir(), "shallow");
  git(bench.repo, "clone", "-q", "--depth=1", `file://${bench.repo}`, shallow);
  const asked = at(bench, shallow);
  const info = await bench.workspace.create(asked);
  writeFiles(info.path, { "new.txt": "1" });
  git(info.path, "add", "-A");
  git(info.path, "commit", "-q", "-m", "work");
  await bench.workspace.remove(bench.refOf(info, asked));
  expect(git(shallow, "show", "agent/one:new.txt")).toBe("1");
});

test("clones a project with another kind of object names", async () => {
  const bench = open();
  const path = join(tempDir(), "sha256");
  git(bench.repo, "init", "-q", "-b", "main", "--object-format=sha256", path);
  writeFiles(path, { "a.txt": "a" });
  git(path, "add", "-A");
  git(path, "commit", "-q", "-m", "first");
  const info = await bench.workspace.create(at(bench, path));
  expect(info.head).toHaveLength(64);
  expect(git(info.path, "status", "--porcelain")).toBe("");
});

test("keeps the mirrors of two projects of one name apart", async () => {
  const bench = open();
  const other = makeRepo(join(tempDir(), "repo"), { "other.txt": "1" });
  const infos = [await bench.workspace.create(bench.request("one")), await bench.workspace.create(at(bench, other))];
  expect(infos.map((info) => existsSync(join(info.path, "other.txt")))).toEqual([false, true]);
  expect(readdirSync(join(bench.home, "clones"))).toHaveLength(2);
});
