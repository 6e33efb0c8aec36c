import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Host } from "../../../ports/host.ts";
import type { MergeRequest, Scm } from "../../../ports/scm.ts";
import { isFull } from "../../../testing/full.ts";
import { git } from "../../../testing/git-repo.ts";
import { openScmFixture, type ScmFixture } from "../../../testing/scm-fixture.ts";
import { localScm } from "./local.ts";

const SEEDS = isFull ? 15 : 1;
const MERGES = isFull ? 20 : 4;
/** Maximum pause between two actions of the person besides the merge's own steps, in the full run. */
const PAUSE_MS = 20;
const SHARED = ["s0.txt", "s1.txt", "dir/s2.txt", "dir/s3.txt"];
const OWN = ["u0.txt", "u1.txt", "dir/u2.txt"];

function make(host: Host, home: string): Scm {
  return localScm.create({}, host, { home, projectPath: "" });
}

/** A host with a person who may act before each of its effects. */
function watchedHost(host: Host, onEffect: () => void): Host {
  const before = <A extends readonly unknown[], R>(run: (...args: A) => R) => {
    return (...args: A): R => {
      onEffect();
      return run(...args);
    };
  };
  const { writeText, remove, rename, moveNew } = host.fs;
  const fs = {
    ...host.fs,
    writeText: before(writeText),
    remove: before(remove),
    rename: before(rename),
    moveNew: before(moveNew),
  };
  return { ...host, fs, exec: before(host.exec) };
}

function dice(seed: number): (sides: number) => number {
  let state = seed * 2654435761 + 1;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** A person working in the checkout, who knows what they wrote and staged. */
function openEditor(fixture: ScmFixture, roll: (sides: number) => number) {
  const written = new Map<string, string>();
  // Everything that was theirs at any moment since this was last cleared.
  const recent = new Set<string>();
  const staged = new Map<string, string>();
  let count = 0;
  const pick = <T>(items: readonly T[]): T => items[roll(items.length)] as T;
  const tryGit = (...args: string[]): boolean => {
    try {
      git(fixture.repo, ...args);
      return true;
    } catch {
      // The lock of a merge; a person retries later.
      return false;
    }
  };
  const write = (path: string): void => {
    const full = join(fixture.repo, path);
    count += 1;
    const before = existsSync(full) ? readFileSync(full, "utf8") : "";
    writeFileSync(full, `${before}edit ${count}\n`);
    written.set(path, readFileSync(full, "utf8"));
    recent.add(path);
  };
  const stage = (): void => {
    const path = pick([...written.keys()]);
    if (path !== undefined && tryGit("add", "--", path)) staged.set(path, written.get(path) ?? "");
  };
  const settle = (paths: readonly string[]): boolean => {
    const mine = paths.filter((path) => written.has(path) || staged.has(path));
    if (mine.length === 0) return true;
    if (!tryGit("add", "--", ...mine)) return false;
    for (const path of mine) staged.set(path, written.get(path) ?? "");
    if (!tryGit("commit", "-q", "-m", "by hand", "--", ...mine)) return false;
    for (const path of mine) {
      written.delete(path);
      staged.delete(path);
    }
    return true;
  };
  const act = (upcoming: string, keepOff: boolean): void => {
    const what = roll(keepOff ? 18 : 20);
    if (what < 9) write(pick(OWN));
    else if (what === 19) write(pick(SHARED));
    else if (what === 18) write(upcoming);
    else if (what < 12) write(`mine-${roll(4)}.txt`);
    else if (what < 16) stage();
    else settle([pick(OWN), pick(SHARED)]);
  };
  return { act, settle, written, staged, recent };
}

function expectConsistent(fixture: ScmFixture, editor: ReturnType<typeof openEditor>): void {
  for (const [path, text] of editor.written) expect(readFileSync(join(fixture.repo, path), "utf8")).toBe(text);
  const cached = git(fixture.repo, "diff", "--cached", "--name-only", "-z").split("\0").filter(Boolean);
  for (const path of cached) expect([...editor.staged.keys()]).toContain(path);
  for (const path of cached) expect(git(fixture.repo, "show", `:${path}`)).toBe(editor.staged.get(path));
  const dirty = git(fixture.repo, "diff", "--name-only", "-z").split("\0").filter(Boolean);
  for (const path of dirty) expect([...editor.written.keys()]).toContain(path);
}

interface Checkout extends ScmFixture {
  readonly editor: ReturnType<typeof openEditor>;
  readonly roll: (sides: number) => number;
  /** What the person does between two effects of a merge. */
  onEffect: () => void;
}

/** A checkout of main with a person working in it. */
function openCheckout(seed: number): Checkout {
  const roll = dice(seed);
  const files = Object.fromEntries([...SHARED, ...OWN].map((path) => [path, `${path}\n`]));
  const fixture = openScmFixture(
    (host, home) =>
      make(
        watchedHost(host, () => checkout.onEffect()),
        home,
      ),
    { files },
  );
  const checkout: Checkout = { ...fixture, roll, editor: openEditor(fixture, roll), onEffect: () => undefined };
  return checkout;
}

async function mergeWhileEdited(checkout: Checkout, request: MergeRequest, waited: number): ReturnType<Scm["merge"]> {
  const { editor, roll } = checkout;
  let over = false;
  editor.recent.clear();
  for (const path of [...editor.written.keys(), ...editor.staged.keys()]) editor.recent.add(path);
  // After two reports, a person leaves those files alone for a while.
  const act = (): void => editor.act(`n${request.number}.txt`, waited > 1);
  checkout.onEffect = () => {
    if (roll(5) === 0) act();
  };
  const merging = checkout.scm.merge(request).finally(() => {
    over = true;
    checkout.onEffect = () => undefined;
  });
  // Also during an effect, which is a matter of chance.
  while (isFull && !over) {
    act();
    await pause(roll(PAUSE_MS));
  }
  return merging;
}

async function workThrough(seed: number): Promise<{ readonly waits: number }> {
  const fixture = openCheckout(seed);
  const { editor, roll } = fixture;
  let waits = 0;
  for (let number = 1; number <= MERGES; ) {
    git(fixture.repo, "update-ref", "-d", `refs/heads/agent/${number}`);
    const path = SHARED[roll(SHARED.length)] ?? "";
    const text = git(fixture.repo, "show", `main:${path}`);
    const change = { [path]: `merge ${number}\n${text}`, [`n${number}.txt`]: `new ${number}\n` };
    const request = await fixture.request(change, {
      number,
      strategy: (["squash", "merge", "rebase"] as const)[number % 3]!,
    });
    for (let waited = 0; ; waited += 1) {
      const answer = await mergeWhileEdited(fixture, request, waited);
      expectConsistent(fixture, editor);
      if (answer.kind === "merged") number += 1;
      if (answer.kind !== "waits") break;
      waits += 1;
      // Whatever it waits for is theirs, and it names it.
      for (const file of answer.files) expect([...editor.recent]).toContain(file);
      expect(editor.settle(answer.files)).toBe(true);
    }
  }
  expect(git(fixture.repo, "fsck", "--connectivity-only", "--no-dangling").trim()).toBe("");
  return { waits };
}

test("a checkout of main stays consistent through many merges while a person edits files in it", async () => {
  let waits = 0;
  for (let seed = 1; seed <= SEEDS; seed += 1) waits += (await workThrough(seed)).waits;
  // A few merges may all find a moment without the person in the way; this many cannot.
  if (isFull) expect(waits).toBeGreaterThan(0);
});
