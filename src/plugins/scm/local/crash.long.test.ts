import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MERGE_STRATEGIES, type MergeStrategy } from "../../../core/merge/strategy.ts";
import type { Host } from "../../../ports/host.ts";
import type { MergeRequest, Scm } from "../../../ports/scm.ts";
import { dyingHost } from "../../../testing/dying-host.ts";
import { isFull } from "../../../testing/full.ts";
import { git, writeFiles } from "../../../testing/git-repo.ts";
import { openScmFixture, type ScmFixture } from "../../../testing/scm-fixture.ts";
import { localScm } from "./local.ts";

const KILLS = isFull ? 40 : 4;
const NAMES = Array.from({ length: 8 }, (_, n) => `f${n}.txt`);

function make(host: Host): Scm {
  return localScm.create({}, host, { home: "", projectPath: "" });
}

/** A checkout in which git writes slowly, file by file, with every kind of user change. */
function openSlow(): ScmFixture {
  const old = Object.fromEntries(NAMES.map((name) => [name, `old ${name}\n`]));
  const fixture = openScmFixture(make, { files: { ...old, "kept.md": "kept\n" } });
  // Only here: the worktree where commits are made is not slow.
  git(fixture.repo, "config", "extensions.worktreeConfig", "true");
  git(fixture.repo, "config", "--worktree", "filter.slow.smudge", "sleep 0.01; cat");
  git(fixture.repo, "config", "--worktree", "filter.slow.clean", "cat");
  writeFiles(join(fixture.repo, ".git/info"), { attributes: "f*.txt filter=slow\n" });
  writeFiles(fixture.repo, { "kept.md": "edited\n", "staged.md": "staged\n", "untracked.md": "u\n" });
  git(fixture.repo, "add", "staged.md");
  return fixture;
}

function aChange(fixture: ScmFixture, number: number, strategy: MergeStrategy): Promise<MergeRequest> {
  const files: Record<string, string | null> = { [`dir${number}/new.txt`]: "new\n" };
  for (const name of NAMES) files[name] = `${number} ${name}\n`;
  if (number > 1) files[`dir${number - 1}/new.txt`] = null;
  return fixture.request(files, { number, strategy });
}

const USERS = " M kept.md\nA  staged.md\n?? untracked.md\n";

function expectWhole(fixture: ScmFixture, number: number): void {
  expect(git(fixture.repo, "status", "--porcelain")).toBe(USERS);
  expect(readFileSync(join(fixture.repo, "f3.txt"), "utf8")).toBe(`${number} f3.txt\n`);
  expect(readFileSync(join(fixture.repo, "kept.md"), "utf8")).toBe("edited\n");
  for (const left of ["index.lock", "ao-merge", "ao-index", "ao-index.lock", "ao-files"]) {
    expect(existsSync(join(fixture.repo, ".git", left))).toBe(false);
  }
}

function subjectsOf(fixture: ScmFixture, number: number): number {
  return git(fixture.repo, "log", "--format=%s", "main").split(`(#${number})`).length - 1;
}

test("a merge that dies after any of its effects is finished or undone by the next, and happens once", async () => {
  const fixture = openSlow();
  let number = 0;
  for (let effects = 0; ; effects += isFull ? 1 : 6) {
    number += 1;
    const request = await aChange(fixture, number, "squash");
    const dying = dyingHost(effects, { onlyChanges: true });
    const first = await make(dying.host)
      .merge(request)
      .catch(() => null);
    const reconciled = await fixture.scm.reconcileMerge(request);
    if (first?.kind === "merged") expect(reconciled).toEqual({ kind: "done", value: first });
    const answer = await fixture.scm.merge(request);
    expect(answer.kind).toBe("merged");
    if (reconciled.kind === "done") expect(reconciled.value).toEqual(answer);
    expectWhole(fixture, number);
    expect(subjectsOf(fixture, number)).toBe(1);
    if (!dying.isDead()) break;
  }
  expect(number).toBeGreaterThan(4);
});

test("git that is killed while it writes the files leaves nothing half-done after recovery", async () => {
  const fixture = openSlow();
  let killed = 0;
  for (let number = 1; number <= KILLS; number += 1) {
    const request = await aChange(fixture, number, MERGE_STRATEGIES[number % 3] ?? "squash");
    const killAfterMs = 1 + ((number * 37) % 150);
    const dying = dyingHost(Number.POSITIVE_INFINITY, {
      killGit: { command: "checkout-index", afterMs: killAfterMs },
    });
    await make(dying.host)
      .merge(request)
      .catch(() => null);
    if (dying.isDead()) killed += 1;
    const before = git(fixture.repo, "diff", "--cached", "--name-only").trim();
    if (dying.isDead()) expect(before).toBe("staged.md");
    await fixture.scm.reconcileMerge(request);
    expect(git(fixture.repo, "status", "--porcelain")).toBe(USERS);
    expect((await fixture.scm.merge(request)).kind).toBe("merged");
    expectWhole(fixture, number);
  }
  expect(killed).toBeGreaterThan(0);
});

test("a new file is removed, an old one comes back, and a person's own stays", async () => {
  const old = {
    "replaced.txt": "old\n",
    "away.txt": "old\n",
    "own.txt": "old\n",
    "not-yet.txt": "old\n",
    "left/x.txt": "old\n",
  };
  const fixture = openScmFixture(make, { files: old });
  const coming = { "replaced.txt": "new\n", "away.txt": "new\n", "own.txt": "new\n", "not-yet.txt": "new\n" };
  const added = { "added/new.txt": "new\n", "added/own.txt": "new\n" };
  const request = await fixture.request({ ...coming, ...added, "left/x.txt": null });
  const [from, to] = [git(fixture.repo, "rev-parse", "main").trim(), request.head];
  const journal = JSON.stringify({ number: 1, ref: "refs/heads/main", from, to, head: request.head });
  writeFiles(join(fixture.repo, ".git"), { "ao-merge": journal, "index.lock": journal, "ao-index.lock": "" });
  const kept = { "replaced.txt": "old\n", "away.txt": "old\n", "own.txt": "old\n", "left/x.txt": "old\n" };
  writeFiles(join(fixture.repo, ".git/ao-files/old"), kept);
  writeFiles(join(fixture.repo, ".git/ao-files/new"), { "not-yet.txt": "new\n" });
  writeFiles(fixture.repo, {
    "replaced.txt": "new\n",
    "own.txt": "my own\n",
    "added/new.txt": "new\n",
    "added/own.txt": "my own\n",
  });
  rmSync(join(fixture.repo, "away.txt"));
  rmSync(join(fixture.repo, "left"), { recursive: true });
  expect(await fixture.scm.reconcileMerge(request)).toEqual({ kind: "not-done" });
  expect(git(fixture.repo, "status", "--porcelain", "-uall")).toBe(" M own.txt\n?? added/own.txt\n");
  expect(readFileSync(join(fixture.repo, "own.txt"), "utf8")).toBe("my own\n");
  expect(readdirSync(join(fixture.repo, ".git")).filter((name) => /ao-|lock/.test(name))).toEqual([]);
  expect(await fixture.scm.merge(request)).toMatchObject({ kind: "waits", files: ["added/own.txt", "own.txt"] });
});

test("what is saved during a merge stays, however it is saved", async () => {
  const files = { "a.txt": "old\n", "b.txt": "old\n", "c.txt": "old\n", "d.txt": "old\n" };
  const fixture = openScmFixture(make, { files });
  const request = await fixture.request({ "a.txt": "new\n", "b.txt": "new\n", "c.txt": "new\n", "d.txt": null });
  const late = openSync(join(fixture.repo, "a.txt"), "a");
  let saved = false;
  const moveNew: Host["fs"]["moveNew"] = async (source, target) => {
    const isMoved = await fixture.host.fs.moveNew(source, target);
    if (saved || target !== join(fixture.repo, "a.txt")) return isMoved;
    saved = true;
    // One program has the old file open, another replaces its file with a new one, as some editors save.
    writeSync(late, "late\n");
    writeFileSync(join(fixture.repo, "c.txt~"), "saved\n");
    renameSync(join(fixture.repo, "c.txt~"), join(fixture.repo, "c.txt"));
    return isMoved;
  };
  const hooked = { ...fixture.host, fs: { ...fixture.host.fs, moveNew } };
  expect(await make(hooked).merge(request)).toMatchObject({ kind: "waits", files: ["a.txt", "c.txt"] });
  closeSync(late);
  expect(readFileSync(join(fixture.repo, "a.txt"), "utf8")).toBe("old\nlate\n");
  expect(readFileSync(join(fixture.repo, "c.txt"), "utf8")).toBe("saved\n");
  expect(git(fixture.repo, "status", "--porcelain")).toBe(" M a.txt\n M c.txt\n");
});

test("what is written into a file that was open when the merge replaced it stays as a change", async () => {
  const fixture = openScmFixture(make, { files: { "a.txt": "old\n", "gone.txt": "old\n" } });
  const request = await fixture.request({ "a.txt": "new\n", "gone.txt": null });
  const open = ["a.txt", "gone.txt"].map((name) => openSync(join(fixture.repo, name), "a"));
  const rename: Host["fs"]["rename"] = async (source, target) => {
    await fixture.host.fs.rename(source, target);
    if (target.endsWith(".git/index")) for (const file of open) writeSync(file, "late\n");
  };
  expect((await make({ ...fixture.host, fs: { ...fixture.host.fs, rename } }).merge(request)).kind).toBe("merged");
  for (const file of open) closeSync(file);
  expect(git(fixture.repo, "status", "--porcelain")).toBe(" M a.txt\n?? gone.txt\n");
  expect(readFileSync(join(fixture.repo, "a.txt"), "utf8")).toBe("old\nlate\n");
});

test("an unreadable journal does not stop the next merge", async () => {
  const fixture = openScmFixture(make, { files: { "a.txt": "old\n" } });
  const request = await fixture.request({ "a.txt": "new\n" });
  writeFiles(join(fixture.repo, ".git"), { "ao-merge": "{", "index.lock": "{" });
  expect((await fixture.scm.merge(request)).kind).toBe("merged");
  expect(git(fixture.repo, "status", "--porcelain")).toBe("");
});

test("a base that others move at the last moment restores files and index", async () => {
  const fixture = openScmFixture(make, { files: { "a.txt": "old\n", "b.txt": "old\n" } });
  const request = await fixture.request({ "a.txt": "new\n", "c.txt": "new\n" });
  const other = await fixture.commit("other", { "b.txt": "theirs\n" });
  writeFiles(fixture.repo, { "staged.txt": "mine\n" });
  git(fixture.repo, "add", "staged.txt");
  let moved = false;
  const exec: Host["exec"] = async (asked) => {
    if (!moved && asked.args.includes("update-ref") && String(asked.stdin).includes("prepare")) {
      moved = true;
      // As a push into this repository does: only the ref.
      git(fixture.repo, "update-ref", "refs/heads/main", other);
    }
    return fixture.host.exec(asked);
  };
  const answer = await make({ ...fixture.host, exec }).merge(request);
  // b.txt is what the push itself did to the checkout; it is not ours to fix.
  expect(answer.kind).toBe("merged");
  expect(git(fixture.repo, "status", "--porcelain")).toBe("M  b.txt\nA  staged.txt\n");
  expect(readFileSync(join(fixture.repo, "a.txt"), "utf8")).toBe("new\n");
});

test("what a person writes between the crash and the recovery stays", async () => {
  const fixture = openSlow();
  let waited = 0;
  for (let number = 1; number <= KILLS; number += 1) {
    const request = await aChange(fixture, number, "squash");
    const dying = dyingHost(22 + ((number * 7) % 30));
    await make(dying.host)
      .merge(request)
      .catch(() => null);
    const name = NAMES[number % NAMES.length] ?? "";
    writeFileSync(join(fixture.repo, name), "written after the crash\n");
    const answer = await fixture.scm.merge(request);
    expect(readFileSync(join(fixture.repo, name), "utf8")).toBe("written after the crash\n");
    if (answer.kind === "waits") {
      expect(answer.files).toEqual([name]);
      expect(git(fixture.repo, "status", "--porcelain").split("\n").sort()).toEqual(
        `${USERS} M ${name}\n`.split("\n").sort(),
      );
      waited += 1;
    }
    git(fixture.repo, "checkout", "-q", "--", name);
    expect((await fixture.scm.merge(request)).kind).toBe("merged");
    expectWhole(fixture, number);
  }
  expect(waited).toBeGreaterThan(0);
});
