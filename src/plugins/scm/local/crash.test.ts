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
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import type { ExecRequest, Host } from "../../../ports/host.ts";
import type { MergeRequest, MergeStrategy, Scm } from "../../../ports/scm.ts";
import { git, writeFiles } from "../../../testing/git-repo.ts";
import { openScmBench, type ScmBench } from "../../../testing/scm-bench.ts";
import { localScm } from "./local.ts";

const FULL = process.env["AO_TEST_FULL"] === "1";
const KILLS = FULL ? 100 : 4;
const STRATEGIES: readonly MergeStrategy[] = ["squash", "merge", "rebase"];
const NAMES = Array.from({ length: 8 }, (_, n) => `f${n}.txt`);

function make(host: Host): Scm {
  return localScm.create({}, host, { home: "", projectPath: "" });
}

const CHANGING = ["writeText", "append", "makeDir", "remove", "rename", "makeLink", "copy"] as const;

interface Dying {
  readonly host: Host;
  isDead(): boolean;
}

/** A host that dies after a number of effects, or kills git in the middle of its work and dies with it. */
function dyingHost(death: { readonly effects: number } | { readonly killAfterMs: number }): Dying {
  const real = createNodeHost({ log: createSilentLog() });
  let left = "effects" in death ? death.effects : Number.POSITIVE_INFINITY;
  const guard =
    <A extends readonly unknown[], R>(run: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      left -= 1;
      if (left < 0) throw new Error("the daemon is dead");
      return run(...args);
    };
  const exec = async (request: ExecRequest): ReturnType<Host["exec"]> => {
    if (!("killAfterMs" in death) || !request.args.includes("checkout-index")) return real.exec(request);
    try {
      return await real.exec({ ...request, signal: AbortSignal.timeout(death.killAfterMs) });
    } catch (error) {
      left = 0;
      throw error;
    }
  };
  const fs = { ...real.fs };
  for (const name of CHANGING) Object.assign(fs, { [name]: guard(real.fs[name] as () => Promise<unknown>) });
  return { host: { ...real, fs, exec: guard(exec) }, isDead: () => left < 0 };
}

/** A checkout in which git writes slowly, file by file, and the user has something of everything. */
function openSlow(): ScmBench {
  const old = Object.fromEntries(NAMES.map((name) => [name, `old ${name}\n`]));
  const bench = openScmBench(make, { files: { ...old, "kept.md": "kept\n" } });
  // Only here: in the worktree beside, where commits are made, nothing is slow.
  git(bench.repo, "config", "extensions.worktreeConfig", "true");
  git(bench.repo, "config", "--worktree", "filter.slow.smudge", "sleep 0.01; cat");
  git(bench.repo, "config", "--worktree", "filter.slow.clean", "cat");
  writeFiles(join(bench.repo, ".git/info"), { attributes: "f*.txt filter=slow\n" });
  writeFiles(bench.repo, { "kept.md": "edited\n", "staged.md": "staged\n", "untracked.md": "u\n" });
  git(bench.repo, "add", "staged.md");
  return bench;
}

function aChange(bench: ScmBench, number: number, strategy: MergeStrategy): Promise<MergeRequest> {
  const files: Record<string, string | null> = { [`dir${number}/new.txt`]: "new\n" };
  for (const name of NAMES) files[name] = `${number} ${name}\n`;
  if (number > 1) files[`dir${number - 1}/new.txt`] = null;
  return bench.request(files, { number, strategy });
}

const USERS = " M kept.md\nA  staged.md\n?? untracked.md\n";

function expectWhole(bench: ScmBench, number: number): void {
  expect(git(bench.repo, "status", "--porcelain")).toBe(USERS);
  expect(readFileSync(join(bench.repo, "f3.txt"), "utf8")).toBe(`${number} f3.txt\n`);
  expect(readFileSync(join(bench.repo, "kept.md"), "utf8")).toBe("edited\n");
  for (const left of ["index.lock", "ao-merge", "ao-index", "ao-index.lock", "ao-files"]) {
    expect(existsSync(join(bench.repo, ".git", left))).toBe(false);
  }
}

function subjectsOf(bench: ScmBench, number: number): number {
  return git(bench.repo, "log", "--format=%s", "main").split(`(#${number})`).length - 1;
}

test("a merge that dies after any of its effects is finished or undone by the next, and happens once", async () => {
  const bench = openSlow();
  let number = 0;
  for (let effects = 0; ; effects += FULL ? 1 : 9) {
    number += 1;
    const request = await aChange(bench, number, "squash");
    const dying = dyingHost({ effects });
    const first = await make(dying.host)
      .merge(request)
      .catch(() => null);
    const reconciled = await bench.scm.reconcileMerge(request);
    if (first?.kind === "merged") expect(reconciled).toEqual({ kind: "done", value: first });
    const answer = await bench.scm.merge(request);
    expect(answer.kind).toBe("merged");
    if (reconciled.kind === "done") expect(reconciled.value).toEqual(answer);
    expectWhole(bench, number);
    expect(subjectsOf(bench, number)).toBe(1);
    if (!dying.isDead()) break;
  }
  expect(number).toBeGreaterThan(4);
}, 240_000);

test("git that is killed while it writes the files leaves nothing half-done after the next look", async () => {
  const bench = openSlow();
  let killed = 0;
  for (let number = 1; number <= KILLS; number += 1) {
    const request = await aChange(bench, number, STRATEGIES[number % 3] ?? "squash");
    const killAfterMs = 1 + ((number * 37) % 150);
    const dying = dyingHost({ killAfterMs });
    await make(dying.host)
      .merge(request)
      .catch(() => null);
    if (dying.isDead()) killed += 1;
    const before = git(bench.repo, "diff", "--cached", "--name-only").trim();
    if (dying.isDead()) expect(before).toBe("staged.md");
    await bench.scm.reconcileMerge(request);
    expect(git(bench.repo, "status", "--porcelain")).toBe(USERS);
    expect((await bench.scm.merge(request)).kind).toBe("merged");
    expectWhole(bench, number);
  }
  expect(killed).toBeGreaterThan(0);
}, 3_600_000);

test("a new file goes, an old one comes back, and a person's own stays", async () => {
  const old = {
    "replaced.txt": "old\n",
    "away.txt": "old\n",
    "own.txt": "old\n",
    "not-yet.txt": "old\n",
    "left/x.txt": "old\n",
  };
  const bench = openScmBench(make, { files: old });
  const coming = { "replaced.txt": "new\n", "away.txt": "new\n", "own.txt": "new\n", "not-yet.txt": "new\n" };
  const added = { "added/new.txt": "new\n", "added/own.txt": "new\n" };
  const request = await bench.request({ ...coming, ...added, "left/x.txt": null });
  const [from, to] = [git(bench.repo, "rev-parse", "main").trim(), request.head];
  const journal = JSON.stringify({ number: 1, ref: "refs/heads/main", from, to, head: request.head });
  writeFiles(join(bench.repo, ".git"), { "ao-merge": journal, "index.lock": journal, "ao-index.lock": "" });
  const kept = { "replaced.txt": "old\n", "away.txt": "old\n", "own.txt": "old\n", "left/x.txt": "old\n" };
  writeFiles(join(bench.repo, ".git/ao-files/old"), kept);
  writeFiles(join(bench.repo, ".git/ao-files/new"), { "not-yet.txt": "new\n" });
  writeFiles(bench.repo, {
    "replaced.txt": "new\n",
    "own.txt": "my own\n",
    "added/new.txt": "new\n",
    "added/own.txt": "my own\n",
  });
  rmSync(join(bench.repo, "away.txt"));
  rmSync(join(bench.repo, "left"), { recursive: true });
  expect(await bench.scm.reconcileMerge(request)).toEqual({ kind: "not-done" });
  expect(git(bench.repo, "status", "--porcelain", "-uall")).toBe(" M own.txt\n?? added/own.txt\n");
  expect(readFileSync(join(bench.repo, "own.txt"), "utf8")).toBe("my own\n");
  expect(readdirSync(join(bench.repo, ".git")).filter((name) => /ao-|lock/.test(name))).toEqual([]);
  expect(await bench.scm.merge(request)).toMatchObject({ kind: "waits", files: ["added/own.txt", "own.txt"] });
});

test("what is saved in the middle of a merge stays, however it is saved", async () => {
  const files = { "a.txt": "old\n", "b.txt": "old\n", "c.txt": "old\n", "d.txt": "old\n" };
  const bench = openScmBench(make, { files });
  const request = await bench.request({ "a.txt": "new\n", "b.txt": "new\n", "c.txt": "new\n", "d.txt": null });
  const late = openSync(join(bench.repo, "a.txt"), "a");
  let saved = false;
  const rename: Host["fs"]["rename"] = async (source, target) => {
    await bench.host.fs.rename(source, target);
    if (saved || target !== join(bench.repo, "a.txt")) return;
    saved = true;
    // One program has the old file open, another replaces its file by a new one, as some editors save.
    writeSync(late, "late\n");
    writeFileSync(join(bench.repo, "c.txt~"), "saved\n");
    renameSync(join(bench.repo, "c.txt~"), join(bench.repo, "c.txt"));
  };
  const hooked = { ...bench.host, fs: { ...bench.host.fs, rename } };
  expect(await make(hooked).merge(request)).toMatchObject({ kind: "waits", files: ["a.txt", "c.txt"] });
  closeSync(late);
  expect(readFileSync(join(bench.repo, "a.txt"), "utf8")).toBe("old\nlate\n");
  expect(readFileSync(join(bench.repo, "c.txt"), "utf8")).toBe("saved\n");
  expect(git(bench.repo, "status", "--porcelain")).toBe(" M a.txt\n M c.txt\n");
});

test("what is written into a file that was open when the merge replaced it stays as a change", async () => {
  const bench = openScmBench(make, { files: { "a.txt": "old\n", "gone.txt": "old\n" } });
  const request = await bench.request({ "a.txt": "new\n", "gone.txt": null });
  const open = ["a.txt", "gone.txt"].map((name) => openSync(join(bench.repo, name), "a"));
  const rename: Host["fs"]["rename"] = async (source, target) => {
    await bench.host.fs.rename(source, target);
    if (target.endsWith(".git/index")) for (const file of open) writeSync(file, "late\n");
  };
  expect((await make({ ...bench.host, fs: { ...bench.host.fs, rename } }).merge(request)).kind).toBe("merged");
  for (const file of open) closeSync(file);
  expect(git(bench.repo, "status", "--porcelain")).toBe(" M a.txt\n?? gone.txt\n");
  expect(readFileSync(join(bench.repo, "a.txt"), "utf8")).toBe("old\nlate\n");
});

test("a journal that cannot be read does not stop the next merge", async () => {
  const bench = openScmBench(make, { files: { "a.txt": "old\n" } });
  const request = await bench.request({ "a.txt": "new\n" });
  writeFiles(join(bench.repo, ".git"), { "ao-merge": "{", "index.lock": "{" });
  expect((await bench.scm.merge(request)).kind).toBe("merged");
  expect(git(bench.repo, "status", "--porcelain")).toBe("");
});

test("a base that others move at the last moment takes files and index back", async () => {
  const bench = openScmBench(make, { files: { "a.txt": "old\n", "b.txt": "old\n" } });
  const request = await bench.request({ "a.txt": "new\n", "c.txt": "new\n" });
  const other = await bench.commit("other", { "b.txt": "theirs\n" });
  writeFiles(bench.repo, { "staged.txt": "mine\n" });
  git(bench.repo, "add", "staged.txt");
  let moved = false;
  const exec: Host["exec"] = async (asked) => {
    if (!moved && asked.args.includes("update-ref") && String(asked.stdin).includes("prepare")) {
      moved = true;
      // As a push into this repository does it: the ref alone.
      git(bench.repo, "update-ref", "refs/heads/main", other);
    }
    return bench.host.exec(asked);
  };
  const answer = await make({ ...bench.host, exec }).merge(request);
  // b.txt is what the push itself did to the checkout; it is not ours to set right.
  expect(answer.kind).toBe("merged");
  expect(git(bench.repo, "status", "--porcelain")).toBe("M  b.txt\nA  staged.txt\n");
  expect(readFileSync(join(bench.repo, "a.txt"), "utf8")).toBe("new\n");
});

test("what a person writes between the crash and the next look stays", async () => {
  const bench = openSlow();
  let waited = 0;
  for (let number = 1; number <= KILLS; number += 1) {
    const request = await aChange(bench, number, "squash");
    const dying = dyingHost({ effects: 22 + ((number * 7) % 30) });
    await make(dying.host)
      .merge(request)
      .catch(() => null);
    const name = NAMES[number % NAMES.length] ?? "";
    writeFileSync(join(bench.repo, name), "written after the crash\n");
    const answer = await bench.scm.merge(request);
    expect(readFileSync(join(bench.repo, name), "utf8")).toBe("written after the crash\n");
    if (answer.kind === "waits") {
      expect(answer.files).toEqual([name]);
      expect(git(bench.repo, "status", "--porcelain").split("\n").sort()).toEqual(
        `${USERS} M ${name}\n`.split("\n").sort(),
      );
      waited += 1;
    }
    git(bench.repo, "checkout", "-q", "--", name);
    expect((await bench.scm.merge(request)).kind).toBe("merged");
    expectWhole(bench, number);
  }
  expect(waited).toBeGreaterThan(0);
}, 3_600_000);
