import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import type { Host } from "../../../ports/host.ts";
import type { Workspace } from "../../../ports/workspace.ts";
import { diesAfterEach, dyingHost } from "../../../testing/dying-host.ts";
import { isFull } from "../../../testing/full.ts";
import { git, writeFiles } from "../../../testing/git-repo.ts";
import { tempDir } from "../../../testing/temp.ts";
import { openWorkspaceFixture, type WorkspaceFixture } from "../../../testing/workspace-fixture.ts";
import { worktree } from "./worktree.ts";

function make(host: Host): Workspace {
  return worktree.create(worktree.config.parse({}), host, { home: tempDir(), projectPath: "" });
}

// Every effect in the full run; otherwise some of a remove's many.
const COARSE = isFull ? 1 : 7;

function orNull<T>(promise: Promise<T>): Promise<T | null> {
  return promise.catch(() => null);
}

function expectWhole(fixture: WorkspaceFixture, path: string): void {
  const name = basename(path);
  expect(git(path, "status", "--porcelain")).toBe("");
  expect(git(path, "rev-parse", "--abbrev-ref", "HEAD")).toBe(`agent/${name}\n`);
  expect(readdirSync(join(fixture.repo, ".worktrees")).filter((entry) => entry.includes(name))).toEqual([name]);
  expect(readdirSync(join(fixture.repo, ".git/worktrees")).filter((entry) => entry.startsWith(name))).toHaveLength(1);
}

test("a create that dies after any of its effects is completed by the next", async () => {
  const fixture = openWorkspaceFixture(make, { "README.md": "# sample\n", ".gitignore": "linked\n" });
  writeFiles(fixture.repo, { linked: "shared" });
  const tried = await diesAfterEach(1, async (dying, session) => {
    const asked = fixture.request(session);
    const request = { ...asked, project: { ...asked.project, symlinks: ["linked"], postCreate: ["true"] } };
    const first = await orNull(make(dying.host).create(request));
    const answer = await fixture.workspace.reconcileCreate(request);
    expect(answer.kind).toBe(first === null ? "not-done" : "done");
    const info = await fixture.workspace.create({ ...request, attempt: 2 });
    expectWhole(fixture, info.path);
    expect(await fixture.workspace.reconcileCreate(request)).toEqual({ kind: "done", value: info });
  });
  expect(tried).toBeGreaterThan(5);
});

test("a remove that dies after any of its effects is finished by the next, and saves once", async () => {
  const fixture = openWorkspaceFixture(make);
  const tried = await diesAfterEach(COARSE, async (dying, session) => {
    const request = fixture.request(session);
    const info = await fixture.workspace.create(request);
    writeFiles(info.path, { "README.md": "changed", "new file.txt": "not committed" });
    const ref = fixture.refOf(info, request);
    await orNull(make(dying.host).remove(ref));
    const preservedRef = `refs/ao/preserved/${session}/1`;
    expect(await fixture.workspace.remove(ref)).toEqual({ kind: "removed", preservedRef, head: info.head });
    expect(git(fixture.repo, "for-each-ref", "--format=%(refname)", `refs/ao/preserved/${session}`)).toBe(
      `${preservedRef}\n`,
    );
    expect(readdirSync(join(fixture.repo, ".worktrees"))).toEqual([]);
    expect(readdirSync(join(fixture.repo, ".git/worktrees"))).toEqual([]);
    expect(existsSync(join(fixture.repo, ".git/ao-trash"))).toBe(false);
    expect(git(fixture.repo, "show", `${preservedRef}:new file.txt`)).toBe("not committed");
  });
  expect(tried).toBeGreaterThan(12);
});

test("a remove that died is undone completely if the session is restored instead", async () => {
  const fixture = openWorkspaceFixture(make);
  await diesAfterEach(COARSE, async (dying, session) => {
    const request = fixture.request(session);
    const info = await fixture.workspace.create(request);
    writeFiles(info.path, { "new.txt": "not committed" });
    await orNull(make(dying.host).remove(fixture.refOf(info, request)));
    const again = await fixture.workspace.create({ ...request, generation: 2, restore: true });
    expect(git(again.path, "status", "--porcelain")).toBe("?? new.txt\n");
    const names = readdirSync(join(fixture.repo, ".worktrees")).filter((name) => name.includes(session));
    expect(names).toEqual([session]);
  });
});

test("a restore that dies after any of its effects is completed by the next", async () => {
  const fixture = openWorkspaceFixture(make);
  await diesAfterEach(1, async (dying, session) => {
    const request = fixture.request(session);
    const info = await fixture.workspace.create(request);
    writeFiles(info.path, { "README.md": "changed", "new.txt": "1", "planned.txt": "2" });
    git(info.path, "add", "-N", "planned.txt");
    const before = git(info.path, "status", "--porcelain");
    await fixture.workspace.remove(fixture.refOf(info, request));
    const restore = { ...request, generation: 2, restore: true };
    const first = await orNull(make(dying.host).create(restore));
    expect((await fixture.workspace.reconcileCreate(restore)).kind).toBe(first === null ? "not-done" : "done");
    const again = await fixture.workspace.create(restore);
    expect(git(again.path, "status", "--porcelain")).toBe(before);
    expect(again.restoredFrom).toBe(`refs/ao/preserved/${session}/1`);
  });
});

test("a checkout that is killed midway is removed and repeated", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 400 }, (_, at) => [`dir-${at % 20}/file ${at}.txt`, `${at} `.repeat(2000)]),
  );
  const fixture = openWorkspaceFixture(make, files);
  let killed = 0;
  for (let ms = 1; ms <= 8; ms += 1) {
    const request = fixture.request(`s${ms}`);
    const real = createNodeHost({ log: createSilentLog() });
    const host: Host = {
      ...real,
      exec: (call) => real.exec(call.args.includes("checkout") ? { ...call, timeoutMs: ms * 2 } : call),
    };
    const first = await orNull(make(host).create(request));
    if (first === null) killed += 1;
    expect((await fixture.workspace.reconcileCreate(request)).kind).toBe(first === null ? "not-done" : "done");
    const info = await fixture.workspace.create(request);
    expect(git(info.path, "status", "--porcelain")).toBe("");
  }
  expect(killed).toBeGreaterThan(0);
});

test("a partial worktree with someone's file in it is left alone, and reported as unknown", async () => {
  let fixture = openWorkspaceFixture(make);
  let request = fixture.request("one");
  const isMarked = (): boolean => existsSync(join(fixture.repo, ".git/worktrees/one/ao-session"));
  // The first death that leaves a worktree with its marker, however many steps come before.
  for (let effects = 1; !isMarked(); effects += 1) {
    fixture = openWorkspaceFixture(make);
    request = fixture.request("one");
    expect(await orNull(make(dyingHost(effects).host).create(request))).toBeNull();
  }
  const path = join(fixture.repo, ".worktrees/one");
  writeFiles(path, { "precious.txt": "mine" });
  const answer = await fixture.workspace.reconcileCreate(request);
  expect(answer).toEqual({ kind: "unknown", reason: expect.stringContaining("precious.txt") });
  await expect(fixture.workspace.create(request)).rejects.toMatchObject({ code: "conflict" });
  expect(readFileSync(join(path, "precious.txt"), "utf8")).toBe("mine");
});

// What `git worktree add` itself leaves when it is killed between its own steps.
test.each(["entry without a folder", "empty folder", "folder with a .git file, HEAD not set"])(
  "a half-registered worktree is removed: %s",
  async (state) => {
    const fixture = openWorkspaceFixture(make);
    const path = join(fixture.repo, ".worktrees/one");
    const entry = join(fixture.repo, ".git/worktrees/one");
    mkdirSync(entry, { recursive: true });
    writeFileSync(join(entry, "locked"), "initializing");
    writeFileSync(join(entry, "gitdir"), `${path}/.git\n`);
    writeFileSync(join(entry, "commondir"), "../..\n");
    writeFileSync(join(entry, "HEAD"), `${"0".repeat(40)}\n`);
    if (state !== "entry without a folder") mkdirSync(path, { recursive: true });
    if (state.startsWith("folder with")) writeFileSync(join(path, ".git"), `gitdir: ${entry}\n`);
    expect(await fixture.workspace.reconcileCreate(fixture.request("one"))).toEqual({ kind: "not-done" });
    expectWhole(fixture, (await fixture.workspace.create(fixture.request("one"))).path);
  },
);

test("only the session's own entry is removed if its folder was deleted by hand", async () => {
  const fixture = openWorkspaceFixture(make);
  const [one, two] = [fixture.request("one"), fixture.request("two")];
  const infos = [await fixture.workspace.create(one), await fixture.workspace.create(two)] as const;
  for (const info of infos) rmSync(info.path, { recursive: true });
  await fixture.workspace.remove(fixture.refOf(infos[0], one));
  expect(readdirSync(join(fixture.repo, ".git/worktrees"))).toEqual(["two"]);
});
