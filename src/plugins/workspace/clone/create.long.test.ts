import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { git, makeRepo, writeFiles } from "../../../testing/git-repo.ts";
import { tempDir, tempDirElsewhere } from "../../../testing/temp.ts";
import { openWorkspaceFixture, type WorkspaceFixture } from "../../../testing/workspace-fixture.ts";
import { clone } from "./clone.ts";

function open(files?: Readonly<Record<string, string>>): WorkspaceFixture & { readonly home: string } {
  const home = tempDir();
  const make = (host: Parameters<typeof clone.create>[1]) =>
    clone.create(clone.config.parse({}), host, { home, projectPath: "" });
  return { ...openWorkspaceFixture(make, files), home };
}

function at(fixture: WorkspaceFixture, path: string): ReturnType<WorkspaceFixture["request"]> {
  const asked = fixture.request("one");
  return { ...asked, project: { ...asked.project, path } };
}

test("needs neither the mirror nor the project's objects once it is created", async () => {
  const fixture = open();
  const info = await fixture.workspace.create(fixture.request("one"));
  rmSync(join(fixture.home, "clones"), { recursive: true });
  rmSync(join(fixture.repo, ".git/objects"), { recursive: true });
  expect(existsSync(join(info.path, ".git/objects/info/alternates"))).toBe(false);
  git(info.path, "fsck", "--full", "--strict");
  expect(git(info.path, "show", "HEAD:README.md")).toBe("# sample\n");
});

test("shares the mirror's files if it can", async () => {
  const fixture = open();
  const info = await fixture.workspace.create(fixture.request("one"));
  const [mirror = ""] = readdirSync(join(fixture.home, "clones"));
  const object = git(info.path, "rev-parse", "HEAD").trim().replace(/^../, "$&/");
  const [a, b] = [join(fixture.home, "clones", mirror), join(info.path, ".git")];
  expect(lstatSync(join(a, "objects", object)).ino).toBe(lstatSync(join(b, "objects", object)).ino);
});

test("copies the mirror's files to another file system", async (context) => {
  const fixture = open();
  const worktreeDir = tempDirElsewhere(fixture.repo);
  if (worktreeDir === null) return context.skip("needs a second file system at /dev/shm");
  const project = { ...fixture.request("one").project, worktreeDir };
  const info = await fixture.workspace.create(fixture.request("one", { project }));
  expect(git(info.path, "status", "--porcelain")).toBe("");
});

test("ignores user settings that are meant for untrusted repositories", async () => {
  const fixture = open();
  const file = join(tempDir(), "gitconfig");
  writeFileSync(file, "[safe]\nbareRepository = explicit\n[protocol]\nallow = never\n[transfer]\nfsckObjects = true\n");
  vi.stubEnv("GIT_CONFIG_GLOBAL", file);
  onTestFinished(() => void vi.unstubAllEnvs());
  const info = await fixture.workspace.create(fixture.request("one"));
  writeFiles(info.path, { "new.txt": "1" });
  expect((await fixture.workspace.remove(fixture.refOf(info, fixture.request("one")))).kind).toBe("removed");
});

test("writes neither the project's configuration nor a tracked file", async () => {
  const fixture = open();
  const config = readFileSync(join(fixture.repo, ".git/config"), "utf8");
  const info = await fixture.workspace.create(fixture.request("one"));
  git(info.path, "config", "user.name", "Agent");
  expect(readFileSync(join(fixture.repo, ".git/config"), "utf8")).toBe(config);
  expect(git(fixture.repo, "status", "--porcelain")).toBe("");
  expect(git(fixture.repo, "worktree", "list").trim().split("\n")).toHaveLength(1);
});

test("has the project's settings and remotes, and the project as an additional one", async () => {
  const fixture = open();
  git(fixture.repo, "config", "user.name", "Someone");
  git(fixture.repo, "remote", "add", "origin", "https://example.com/x.git");
  git(fixture.repo, "update-ref", "refs/remotes/origin/next", "main");
  const info = await fixture.workspace.create(fixture.request("one"));
  expect(git(info.path, "config", "user.name")).toBe("Someone\n");
  expect(git(info.path, "remote", "get-url", "origin")).toBe("https://example.com/x.git\n");
  expect(git(info.path, "remote", "get-url", "project")).toBe(`${fixture.repo}\n`);
  expect(git(info.path, "for-each-ref", "--format=%(refname)", "refs/remotes/origin")).toBe(
    "refs/remotes/origin/next\n",
  );
  expect(git(info.path, "branch", "--format=%(refname)")).toBe("refs/heads/agent/one\n");
});

test("has the project as origin if that has none", async () => {
  const fixture = open();
  const info = await fixture.workspace.create(fixture.request("one"));
  git(fixture.repo, "commit", "-q", "--allow-empty", "-m", "second");
  git(info.path, "fetch", "-q");
  expect(git(info.path, "rev-parse", "origin/main")).toBe(git(fixture.repo, "rev-parse", "main"));
});

test("hides what the user hides only in this repository", async () => {
  const fixture = open();
  writeFileSync(join(fixture.repo, ".git/info/exclude"), "notes.txt\n");
  const info = await fixture.workspace.create(fixture.request("one"));
  writeFiles(info.path, { "notes.txt": "1" });
  expect(git(info.path, "status", "--porcelain")).toBe("");
});

test("rejects a branch that the main checkout or another clone is on", async () => {
  const fixture = open();
  git(fixture.repo, "switch", "-q", "-c", "agent/one");
  await expect(fixture.workspace.create(fixture.request("one"))).rejects.toMatchObject({ code: "branch-taken" });
  git(fixture.repo, "switch", "-q", "main");
  const info = await fixture.workspace.create(fixture.request("one"));
  const second = fixture.workspace.create(fixture.request("two", { branch: "agent/one" }));
  await expect(second).rejects.toMatchObject({ code: "branch-taken", data: { path: info.path } });
});

test("sees what was committed to the project after the mirror was created", async () => {
  const fixture = open();
  await fixture.workspace.create(fixture.request("one"));
  git(fixture.repo, "branch", "-q", "gone");
  await fixture.workspace.create(fixture.request("two"));
  git(fixture.repo, "branch", "-q", "-D", "gone");
  git(fixture.repo, "branch", "-q", "gone/deeper");
  git(fixture.repo, "commit", "-q", "--allow-empty", "-m", "second");
  const info = await fixture.workspace.create(fixture.request("three"));
  expect(info.head).toBe(git(fixture.repo, "rev-parse", "main").trim());
});

test("clones a bare project", async () => {
  const fixture = open();
  const bare = join(tempDir(), "bare.git");
  git(fixture.repo, "clone", "-q", "--bare", fixture.repo, bare);
  const project = { ...fixture.request("one").project, path: bare, worktreeDir: join(tempDir(), "trees") };
  const info = await fixture.workspace.create(fixture.request("one", { project }));
  expect(git(info.path, "status", "--porcelain")).toBe("");
});

test("clones a shallow project, and publishes to it", async () => {
  const fixture = open();
  git(fixture.repo, "commit", "-q", "--allow-empty", "-m", "second");
  const shallow = join(tempDir(), "shallow");
  git(fixture.repo, "clone", "-q", "--depth=1", `file://${fixture.repo}`, shallow);
  const asked = at(fixture, shallow);
  const info = await fixture.workspace.create(asked);
  writeFiles(info.path, { "new.txt": "1" });
  git(info.path, "add", "-A");
  git(info.path, "commit", "-q", "-m", "work");
  await fixture.workspace.remove(fixture.refOf(info, asked));
  expect(git(shallow, "show", "agent/one:new.txt")).toBe("1");
});

test("clones a project with another object format", async () => {
  const fixture = open();
  const path = join(tempDir(), "sha256");
  git(fixture.repo, "init", "-q", "-b", "main", "--object-format=sha256", path);
  writeFiles(path, { "a.txt": "a" });
  git(path, "add", "-A");
  git(path, "commit", "-q", "-m", "first");
  const info = await fixture.workspace.create(at(fixture, path));
  expect(info.head).toHaveLength(64);
  expect(git(info.path, "status", "--porcelain")).toBe("");
});

test("keeps the mirrors of two projects with the same name apart", async () => {
  const fixture = open();
  const other = makeRepo(join(tempDir(), "repo"), { "other.txt": "1" });
  const infos = [
    await fixture.workspace.create(fixture.request("one")),
    await fixture.workspace.create(at(fixture, other)),
  ];
  expect(infos.map((info) => existsSync(join(info.path, "other.txt")))).toEqual([false, true]);
  expect(readdirSync(join(fixture.home, "clones"))).toHaveLength(2);
});
