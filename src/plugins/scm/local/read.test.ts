import { execFileSync } from "node:child_process";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Host } from "../../../ports/host.ts";
import type { Scm } from "../../../ports/scm.ts";
import { git } from "../../../testing/git-repo.ts";
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

describe("reading", () => {
  it("finds branches in packed refs, and prefers a loose one", async () => {
    const fixture = open();
    const packed = await fixture.commit("agent/1", { "a.txt": "1\n" });
    git(fixture.repo, "pack-refs", "--all");
    const calls: string[] = [];
    const counting: Host = {
      ...fixture.host,
      exec: (request) => {
        calls.push(request.program);
        return fixture.host.exec(request);
      },
    };
    const scm = make(counting, "");
    expect(await scm.readHead(fixture.project, "agent/1")).toBe(packed);
    expect(await scm.readHead(fixture.project, "agent")).toBeNull();
    const loose = await fixture.commit("agent/1", { "a.txt": "2\n" });
    expect(await scm.readHead(fixture.project, "agent/1")).toBe(loose);
    expect(calls).toEqual([]);
  });

  it("tells what the default branch lost and gained, and by whom", async () => {
    const { scm, project, repo, commit } = open();
    const first = git(repo, "rev-parse", "main").trim();
    expect(await scm.inspectRepository?.(project, null)).toEqual({
      kind: "present",
      base: { since: null, head: first, lost: 0, commits: [] },
    });
    const second = await commit("main", { "a.txt": "2\n" });
    const gained = await scm.inspectRepository?.(project, first);
    expect(gained).toMatchObject({ base: { head: second, lost: 0, commits: [{ commit: second }] } });
    git(repo, "update-ref", "refs/heads/main", first);
    expect(await scm.inspectRepository?.(project, second)).toMatchObject({
      base: { head: first, lost: 1, commits: [] },
    });
    expect(await scm.inspectRepository?.(project, "1".repeat(40))).toMatchObject({ base: { lost: 1 } });
    git(repo, "update-ref", "-d", "refs/heads/main");
    expect(await scm.inspectRepository?.(project, second)).toMatchObject({ base: { head: null } });
    renameSync(repo, `${repo}-moved`);
    expect(await scm.inspectRepository?.(project, second)).toEqual({
      kind: "missing",
      evidence: `${repo} does not exist`,
    });
  });

  it("asks git about a symbolic branch", async () => {
    const fixture = open();
    git(fixture.repo, "symbolic-ref", "refs/heads/alias", "refs/heads/main");
    expect(await fixture.scm.readHead(fixture.project, "alias")).toBe(git(fixture.repo, "rev-parse", "main").trim());
  });

  it("leaves no object and no file behind when it tries a merge", async () => {
    const fixture = open();
    const head = await fixture.commit("agent/1", { "a.txt": "1\n" });
    const base = await fixture.commit("main", { "m.txt": "m\n" });
    const before = execFileSync("find", [
      join(fixture.repo, ".git"),
      "-newer",
      join(fixture.repo, ".git/HEAD"),
    ]).toString();
    expect(await fixture.scm.tryMerge(fixture.project, { head, baseHead: base })).toEqual({ kind: "clean" });
    const after = execFileSync("find", [
      join(fixture.repo, ".git"),
      "-newer",
      join(fixture.repo, ".git/HEAD"),
    ]).toString();
    expect(after).toBe(before);
  });

  it("reports unknown with a git that is too old", async () => {
    const fixture = open();
    const old: Host = {
      ...fixture.host,
      exec: async (request) =>
        request.args[0] === "--version"
          ? { code: 0, stdout: "git version 2.30.2\n", stderr: "" }
          : fixture.host.exec(request),
    };
    const head = await fixture.commit("agent/1", { "a.txt": "1\n" });
    const answer = await make(old, "").tryMerge(fixture.project, { head, baseHead: head });
    expect(answer).toEqual({ kind: "unknown", reason: expect.stringContaining("2.30") });
    await expect(make(old, "").merge(await fixture.request({}))).rejects.toMatchObject({ code: "git-too-old" });
  });

  it("names files with unusual names correctly", async () => {
    const fixture = open();
    const name = 'tab\t"quote" 日本\n\\x.txt';
    const head = await fixture.commit("agent/1", { [name]: "1\n" });
    const base = await fixture.commit("main", { [name]: "2\n" });
    expect(await fixture.scm.tryMerge(fixture.project, { head, baseHead: base })).toEqual({
      kind: "conflict",
      files: [name],
    });
  });

  it("does not delete a branch that is checked out", async () => {
    const fixture = open();
    const head = await fixture.commit("agent/1", { "a.txt": "1\n" });
    const other = join(tempDir(), "other");
    git(fixture.repo, "worktree", "add", "-q", other, "agent/1");
    const answer = await fixture.scm.deleteBranch(fixture.project, "agent/1", head);
    expect(answer).toEqual({ deleted: false, reason: expect.stringContaining(other) });
  });

  it("keeps the head of a deleted branch that was never merged by a request", async () => {
    const fixture = open();
    const head = await fixture.commit("agent/1", { "a.txt": "1\n" });
    expect((await fixture.scm.deleteBranch(fixture.project, "agent/1", head)).deleted).toBe(true);
    expect(git(fixture.repo, "for-each-ref", "--format=%(objectname)", "refs/ao/merged").trim()).toBe(head);
  });

  it("cuts a very long diff and reports it", async () => {
    const fixture = open();
    const head = await fixture.commit("agent/1", { "big.txt": `${"0123456789abcdef\n".repeat(400_000)}` });
    const diff = await fixture.scm.diff(fixture.project, head, "main");
    expect(diff.length).toBeLessThan(4.2 * 1024 * 1024);
    expect(diff).toMatch(/rest was cut\.\n$/);
  });
});
