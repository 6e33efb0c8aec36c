import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Host } from "../../../ports/host.ts";
import type { Scm } from "../../../ports/scm.ts";
import { git, writeFiles } from "../../../testing/git-repo.ts";
import { openScmFixture, type ScmFixture } from "../../../testing/scm-fixture.ts";
import { tempDir } from "../../../testing/temp.ts";
import { localScm } from "./local.ts";

const FILES = { "README.md": "# sample\n", "a.txt": "a\n", "dir/b.txt": "b\n", ".gitignore": "ignored*\n" };

function make(host: Host, home: string): Scm {
  return localScm.create({}, host, { home, projectPath: "" });
}

function open(): ScmFixture {
  return openScmFixture(make, { files: FILES });
}

function status(fixture: ScmFixture): string {
  return git(fixture.repo, "status", "--porcelain");
}

describe("a base that is checked out", () => {
  it("updates a clean checkout too", async () => {
    const fixture = open();
    const request = await fixture.request({ "a.txt": "new\n", "dir/b.txt": null, "new/c d.txt": "c\n" });
    expect((await fixture.scm.merge(request)).kind).toBe("merged");
    expect(status(fixture)).toBe("");
    expect(readFileSync(join(fixture.repo, "a.txt"), "utf8")).toBe("new\n");
    expect(existsSync(join(fixture.repo, "dir"))).toBe(false);
    expect(readFileSync(join(fixture.repo, "new/c d.txt"), "utf8")).toBe("c\n");
    expect(git(fixture.repo, "reflog", "-1", "--format=%gs", "HEAD")).toBe("ao: merge #1\n");
  });

  it("updates a checkout in a linked worktree too", async () => {
    const fixture = open();
    const other = join(tempDir(), "other");
    git(fixture.repo, "switch", "-q", "-c", "elsewhere");
    git(fixture.repo, "worktree", "add", "-q", other, "main");
    expect((await fixture.scm.merge(await fixture.request({ "a.txt": "new\n" }))).kind).toBe("merged");
    expect(git(other, "status", "--porcelain")).toBe("");
    expect(readFileSync(join(other, "a.txt"), "utf8")).toBe("new\n");
    expect(readFileSync(join(fixture.repo, "a.txt"), "utf8")).toBe("a\n");
  });

  it("keeps edits in other files: changed, staged, deleted and untracked", async () => {
    const fixture = open();
    const request = await fixture.request({ "a.txt": "new\n" });
    writeFiles(fixture.repo, { "README.md": "edited\n", "staged.txt": "staged\n", "untracked.txt": "u\n" });
    git(fixture.repo, "add", "staged.txt");
    rmSync(join(fixture.repo, "dir/b.txt"));
    const before = status(fixture);
    expect((await fixture.scm.merge(request)).kind).toBe("merged");
    expect(status(fixture)).toBe(before);
    expect(readFileSync(join(fixture.repo, "README.md"), "utf8")).toBe("edited\n");
    expect(readFileSync(join(fixture.repo, "a.txt"), "utf8")).toBe("new\n");
  });

  it("is not blocked by a file that was touched but not changed", async () => {
    const fixture = open();
    const request = await fixture.request({ "a.txt": "new\n" });
    writeFileSync(join(fixture.repo, "a.txt"), "a\n");
    expect((await fixture.scm.merge(request)).kind).toBe("merged");
    expect(status(fixture)).toBe("");
  });

  const edits: Readonly<Record<string, (repo: string) => void>> = {
    "a change": (repo) => writeFiles(repo, { "a.txt": "mine\n" }),
    "a staged change": (repo) => {
      writeFiles(repo, { "a.txt": "mine\n" });
      git(repo, "add", "a.txt");
    },
    "a staged change that was undone in the file": (repo) => {
      writeFiles(repo, { "a.txt": "mine\n" });
      git(repo, "add", "a.txt");
      writeFiles(repo, { "a.txt": "a\n" });
    },
    "a deletion": (repo) => rmSync(join(repo, "a.txt")),
    "a staged deletion": (repo) => git(repo, "rm", "-q", "a.txt"),
    "a file that is hidden from git": (repo) => {
      git(repo, "update-index", "--assume-unchanged", "a.txt");
      writeFiles(repo, { "a.txt": "mine\n" });
    },
    "a file that is kept out of git's sight": (repo) => {
      git(repo, "update-index", "--skip-worktree", "a.txt");
      writeFiles(repo, { "a.txt": "mine\n" });
    },
  };
  it.each(Object.entries(edits))("waits for %s in a file that the merge touches, and names it", async (_, edit) => {
    const fixture = open();
    const request = await fixture.request({ "a.txt": "new\n" });
    edit(fixture.repo);
    const before = [status(fixture), git(fixture.repo, "ls-files", "-s"), git(fixture.repo, "rev-parse", "main")];
    const answer = await fixture.scm.merge(request);
    expect(answer).toMatchObject({ kind: "waits", files: ["a.txt"] });
    expect("reason" in answer ? answer.reason : "").toContain("a.txt");
    expect([status(fixture), git(fixture.repo, "ls-files", "-s"), git(fixture.repo, "rev-parse", "main")]).toEqual(
      before,
    );
    expect(existsSync(join(fixture.repo, ".git/index.lock"))).toBe(false);
    expect(await fixture.scm.reconcileMerge(request)).toEqual({ kind: "not-done" });
  });

  it.each(["new.txt", "ignored.txt", "ignored-dir/x", "dir/new/deep.txt"])(
    "waits for a file %s that git does not know and the merge adds",
    async (path) => {
      const fixture = open();
      const request = await fixture.request({ [path]: "new\n" });
      writeFiles(fixture.repo, { [path]: "mine\n" });
      expect(await fixture.scm.merge(request)).toMatchObject({ kind: "waits", files: [path] });
      expect(readFileSync(join(fixture.repo, path), "utf8")).toBe("mine\n");
    },
  );

  it("waits for a file where the merge adds a folder, and for a folder where it adds a file", async () => {
    const fixture = open();
    const request = await fixture.request({ "ignored-x/file.txt": "new\n", folder: "a file\n" });
    writeFiles(fixture.repo, { "ignored-x": "mine\n", "folder/ignored.txt": "mine\n" });
    expect(await fixture.scm.merge(request)).toMatchObject({
      kind: "waits",
      files: ["folder/ignored.txt", "ignored-x"],
    });
    expect(readFileSync(join(fixture.repo, "folder/ignored.txt"), "utf8")).toBe("mine\n");
  });

  it("replaces a folder with a file and a file with a folder and a link", async () => {
    const fixture = open();
    const head = await fixture.commit("agent/1", { "dir/b.txt": null, "a.txt": null });
    const side = fixture.side;
    git(side, "checkout", "-q", "--detach", head);
    rmSync(join(side, "dir"), { recursive: true, force: true });
    writeFiles(side, { dir: "now a file\n", "a.txt/inside": "x\n" });
    symlinkSync("README.md", join(side, "link"));
    git(side, "add", "-A");
    git(side, "commit", "-q", "-m", "swap");
    git(fixture.repo, "update-ref", "refs/heads/agent/1", git(side, "rev-parse", "HEAD").trim());
    const request = await fixture.request({});
    expect((await fixture.scm.merge(request)).kind).toBe("merged");
    expect(status(fixture)).toBe("");
    expect(readFileSync(join(fixture.repo, "a.txt/inside"), "utf8")).toBe("x\n");
  });

  it("succeeds when the person has committed", async () => {
    const fixture = open();
    const request = await fixture.request({ "dir/b.txt": "new\n", "a.txt": "a\nnew\n" });
    writeFiles(fixture.repo, { "dir/b.txt": "new\n" });
    expect((await fixture.scm.merge(request)).kind).toBe("waits");
    git(fixture.repo, "commit", "-q", "-am", "the same");
    expect((await fixture.scm.merge(request)).kind).toBe("merged");
    expect(status(fixture)).toBe("");
    expect(await fixture.history("main")).toEqual(["Title (#1)", "the same", "first"]);
  });

  it.each([
    ["a merge", "MERGE_HEAD"],
    ["a cherry-pick", "CHERRY_PICK_HEAD"],
    ["a revert", "REVERT_HEAD"],
  ])("waits for %s in progress", async (name, file) => {
    const fixture = open();
    const request = await fixture.request({ "a.txt": "new\n" });
    writeFileSync(join(fixture.repo, ".git", file), git(fixture.repo, "rev-parse", "HEAD"));
    const answer = await fixture.scm.merge(request);
    expect(answer).toMatchObject({ kind: "waits", files: [] });
    expect("reason" in answer ? answer.reason : "").toContain(name);
  });

  it("waits while the base is being rebased somewhere", async () => {
    const fixture = open();
    const request = await fixture.request({ "dir/b.txt": "new\n" });
    git(fixture.repo, "switch", "-q", "-c", "onto");
    await fixture.commit("onto", { "a.txt": "theirs\n" });
    git(fixture.repo, "switch", "-q", "main");
    await fixture.commit("main", { "a.txt": "mine\n" });
    expect(() => git(fixture.repo, "rebase", "onto")).toThrow();
    const answer = await fixture.scm.merge(request);
    expect("reason" in answer ? answer.reason : "").toContain("a rebase is in progress");
    git(fixture.repo, "rebase", "--abort");
    expect((await fixture.scm.merge(request)).kind).toBe("merged");
  });

  it("waits while the base is checked out twice", async () => {
    const fixture = open();
    const other = join(tempDir(), "other");
    git(fixture.repo, "worktree", "add", "-q", "-f", other, "main");
    const answer = await fixture.scm.merge(await fixture.request({ "a.txt": "new\n" }));
    expect("reason" in answer ? answer.reason : "").toContain(other);
  });

  it("moves the base if the folder of its only checkout is gone", async () => {
    const fixture = open();
    const other = join(tempDir(), "other");
    git(fixture.repo, "switch", "-q", "-c", "elsewhere");
    git(fixture.repo, "worktree", "add", "-q", other, "main");
    rmSync(other, { recursive: true });
    expect((await fixture.scm.merge(await fixture.request({ "a.txt": "new\n" }))).kind).toBe("merged");
  });

  it("waits for the lock of another git command, and names the file", async () => {
    const fixture = open();
    const request = await fixture.request({ "a.txt": "new\n" });
    const lock = join(fixture.repo, ".git/index.lock");
    writeFileSync(lock, "");
    const answer = await fixture.scm.merge(request);
    expect("reason" in answer ? answer.reason : "").toContain(lock);
    expect(existsSync(lock)).toBe(true);
    expect(existsSync(join(fixture.repo, ".git/ao-merge"))).toBe(false);
    rmSync(lock);
    expect((await fixture.scm.merge(request)).kind).toBe("merged");
  });

  it.each([
    ["checked out", "main", "refs/heads/main.lock"],
    ["not checked out", "elsewhere", "refs/heads/main.lock"],
    ["checked out", "main", "refs/ao/merged/1.lock"],
  ])("waits for the lock of a ref, and names the file, when the base is %s (%s: %s)", async (_, branch, name) => {
    const fixture = open();
    const request = await fixture.request({ "a.txt": "new\n" });
    if (branch !== "main") git(fixture.repo, "switch", "-q", "-c", branch);
    const lock = join(fixture.repo, ".git", name);
    writeFiles(join(fixture.repo, ".git"), { [name]: "" });
    expect(await fixture.scm.merge(request)).toEqual({
      kind: "waits",
      reason: `another git command is moving main; if none is, remove ${lock}`,
      files: [],
    });
    expect([existsSync(lock), status(fixture)]).toEqual([true, ""]);
    rmSync(lock);
    expect((await fixture.scm.merge(request)).kind).toBe("merged");
  });
});
