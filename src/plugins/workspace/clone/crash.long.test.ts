import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Host } from "../../../ports/host.ts";
import type { Workspace } from "../../../ports/workspace.ts";
import { diesAfterEach, dyingHost } from "../../../testing/dying-host.ts";
import { isFull } from "../../../testing/full.ts";
import { git, writeFiles } from "../../../testing/git-repo.ts";
import { tempDir } from "../../../testing/temp.ts";
import { openWorkspaceFixture } from "../../../testing/workspace-fixture.ts";
import { clone } from "./clone.ts";

// Every effect in the full run; otherwise some of the many.
const COARSE = isFull ? 1 : 11;

function maker(): (host: Host) => Workspace {
  const home = tempDir();
  return (host) => clone.create(clone.config.parse({}), host, { home, projectPath: "" });
}

function orNull<T>(promise: Promise<T>): Promise<T | null> {
  return promise.catch(() => null);
}

test("a create that dies after any of its effects is completed by the next", async () => {
  const make = maker();
  const fixture = openWorkspaceFixture(make, { "README.md": "# sample\n", ".gitignore": "linked\n" });
  writeFiles(fixture.repo, { linked: "shared" });
  const tried = await diesAfterEach(COARSE, async (dying, session) => {
    const asked = fixture.request(session);
    const request = { ...asked, project: { ...asked.project, symlinks: ["linked"], postCreate: ["true"] } };
    const first = await orNull(make(dying.host).create(request));
    const answer = await fixture.workspace.reconcileCreate(request);
    expect(answer.kind).toBe(first === null ? "not-done" : "done");
    const info = await fixture.workspace.create({ ...request, attempt: 2 });
    expect(git(info.path, "status", "--porcelain")).toBe("");
    expect(git(info.path, "rev-parse", "--abbrev-ref", "HEAD")).toBe(`agent/${session}\n`);
    expect(readdirSync(join(fixture.repo, ".worktrees")).filter((name) => name.includes(session))).toEqual([session]);
    expect(await fixture.workspace.reconcileCreate(request)).toEqual({ kind: "done", value: info });
  });
  expect(tried).toBeGreaterThan(12);
});

test("a remove that dies after any of its effects is finished by the next, and saves once", async () => {
  const make = maker();
  const fixture = openWorkspaceFixture(make);
  const tried = await diesAfterEach(COARSE, async (dying, session) => {
    const request = fixture.request(session);
    const info = await fixture.workspace.create(request);
    writeFiles(info.path, { "done.txt": "committed" });
    git(info.path, "add", "-A");
    git(info.path, "commit", "-q", "-m", "work");
    const head = git(info.path, "rev-parse", "HEAD").trim();
    writeFiles(info.path, { "README.md": "changed", "new file.txt": "not committed" });
    const ref = fixture.refOf(info, request);
    await orNull(make(dying.host).remove(ref));
    const preservedRef = `refs/ao/preserved/${session}/1`;
    expect(await fixture.workspace.remove(ref)).toEqual({ kind: "removed", preservedRef, head });
    expect(git(fixture.repo, "for-each-ref", "--format=%(refname)", "refs/ao")).toContain(`${preservedRef}\n`);
    expect(git(fixture.repo, "for-each-ref", "refs/ao/incoming", `refs/ao/preserved/${session}/2`)).toBe("");
    expect(readdirSync(join(fixture.repo, ".worktrees"))).toEqual([]);
    expect(git(fixture.repo, "rev-parse", `agent/${session}`).trim()).toBe(head);
    expect(git(fixture.repo, "show", `${preservedRef}:new file.txt`)).toBe("not committed");
  });
  expect(tried).toBeGreaterThan(12);
});

test("a restore that dies after any of its effects is completed by the next", async () => {
  const make = maker();
  const fixture = openWorkspaceFixture(make);
  await diesAfterEach(COARSE, async (dying, session) => {
    const request = fixture.request(session);
    const info = await fixture.workspace.create(request);
    writeFiles(info.path, { "README.md": "in the stash" });
    git(info.path, "stash", "push", "-q", "-m", "for later");
    writeFiles(info.path, { "README.md": "changed", "new.txt": "1" });
    await fixture.workspace.remove(fixture.refOf(info, request));
    const restore = { ...request, generation: 2, restore: true };
    await orNull(make(dying.host).create(restore));
    const again = await fixture.workspace.create(restore);
    expect(git(again.path, "status", "--porcelain")).toBe(" M README.md\n?? new.txt\n");
    expect(git(again.path, "stash", "list").trim().split("\n")).toHaveLength(1);
    expect(again.restoredFrom).toBe(`refs/ao/preserved/${session}/1`);
  });
});

test("a partial clone with someone's file in it is left alone, and reported as unknown", async () => {
  const make = maker();
  const fixture = openWorkspaceFixture(make);
  const request = fixture.request("one");
  const path = join(fixture.repo, ".worktrees/one");
  for (let effects = 1; !existsSync(path); effects += 1) await orNull(make(dyingHost(effects).host).create(request));
  expect(readdirSync(path)).toEqual([".git"]);
  writeFiles(path, { "precious.txt": "mine" });
  const answer = await fixture.workspace.reconcileCreate(request);
  expect(answer).toEqual({ kind: "unknown", reason: expect.stringContaining("precious.txt") });
  await expect(fixture.workspace.create(request)).rejects.toMatchObject({ code: "conflict" });
  expect(readFileSync(join(path, "precious.txt"), "utf8")).toBe("mine");
});

test("a repository that someone else put in its place is left alone", async () => {
  const fixture = openWorkspaceFixture(maker());
  const path = join(fixture.repo, ".worktrees/one");
  mkdirSync(path, { recursive: true });
  git(path, "init", "-q");
  await expect(fixture.workspace.create(fixture.request("one"))).rejects.toMatchObject({ code: "conflict" });
  expect(readdirSync(path)).toEqual([".git"]);
});

test("a broken mirror is recreated", async () => {
  const home = tempDir();
  const fixture = openWorkspaceFixture((host) => clone.create(clone.config.parse({}), host, { home, projectPath: "" }));
  await fixture.workspace.create(fixture.request("one"));
  const [mirror] = readdirSync(join(home, "clones"));
  writeFileSync(join(home, "clones", mirror ?? "", "packed-refs"), "not a ref\n");
  const info = await fixture.workspace.create(fixture.request("two"));
  expect(git(info.path, "status", "--porcelain")).toBe("");
});
