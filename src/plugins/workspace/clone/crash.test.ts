import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Host } from "../../../ports/host.ts";
import type { Workspace } from "../../../ports/workspace.ts";
import { diesAfterEach, dyingHost } from "../../../testing/dying-host.ts";
import { git, writeFiles } from "../../../testing/git-repo.ts";
import { tempDir } from "../../../testing/temp.ts";
import { openBench } from "../../../testing/workspace-bench.ts";
import { clone } from "./clone.ts";

// Every effect in the full run; some of the many otherwise.
const COARSE = process.env["AO_TEST_FULL"] === "1" ? 1 : 6;

function maker(): (host: Host) => Workspace {
  const home = tempDir();
  return (host) => clone.create(clone.config.parse({}), host, { home, projectPath: "" });
}

function orNull<T>(promise: Promise<T>): Promise<T | null> {
  return promise.catch(() => null);
}

test("a create that dies after any of its effects is made whole by the next", async () => {
  const make = maker();
  const bench = openBench(make, { "README.md": "# sample\n", ".gitignore": "linked\n" });
  writeFiles(bench.repo, { linked: "shared" });
  const tried = await diesAfterEach(COARSE, async (dying, session) => {
    const asked = bench.request(session);
    const request = { ...asked, project: { ...asked.project, symlinks: ["linked"], postCreate: ["true"] } };
    const first = await orNull(make(dying.host).create(request));
    const answer = await bench.workspace.reconcileCreate(request);
    expect(answer.kind).toBe(first === null ? "not-done" : "done");
    const info = await bench.workspace.create({ ...request, attempt: 2 });
    expect(git(info.path, "status", "--porcelain")).toBe("");
    expect(git(info.path, "rev-parse", "--abbrev-ref", "HEAD")).toBe(`agent/${session}\n`);
    expect(readdirSync(join(bench.repo, ".worktrees")).filter((name) => name.includes(session))).toEqual([session]);
    expect(await bench.workspace.reconcileCreate(request)).toEqual({ kind: "done", value: info });
  });
  expect(tried).toBeGreaterThan(20);
});

test("a remove that dies after any of its effects is finished by the next, and saves once", async () => {
  const make = maker();
  const bench = openBench(make);
  const tried = await diesAfterEach(COARSE, async (dying, session) => {
    const request = bench.request(session);
    const info = await bench.workspace.create(request);
    writeFiles(info.path, { "done.txt": "committed" });
    git(info.path, "add", "-A");
    git(info.path, "commit", "-q", "-m", "work");
    const head = git(info.path, "rev-parse", "HEAD").trim();
    writeFiles(info.path, { "README.md": "changed", "new file.txt": "not committed" });
    const ref = bench.refOf(info, request);
    await orNull(make(dying.host).remove(ref));
    const preservedRef = `refs/ao/preserved/${session}/1`;
    expect(await bench.workspace.remove(ref)).toEqual({ kind: "removed", preservedRef, head });
    expect(git(bench.repo, "for-each-ref", "--format=%(refname)", "refs/ao")).toContain(`${preservedRef}\n`);
    expect(git(bench.repo, "for-each-ref", "refs/ao/incoming", `refs/ao/preserved/${session}/2`)).toBe("");
    expect(readdirSync(join(bench.repo, ".worktrees"))).toEqual([]);
    expect(git(bench.repo, "rev-parse", `agent/${session}`).trim()).toBe(head);
    expect(git(bench.repo, "show", `${preservedRef}:new file.txt`)).toBe("not committed");
  });
  expect(tried).toBeGreaterThan(20);
});

test("a restore that dies after any of its effects is made whole by the next", async () => {
  const make = maker();
  const bench = openBench(make);
  await diesAfterEach(COARSE, async (dying, session) => {
    const request = bench.request(session);
    const info = await bench.workspace.create(request);
    writeFiles(info.path, { "README.md": "in the stash" });
    git(info.path, "stash", "push", "-q", "-m", "for later");
    writeFiles(info.path, { "README.md": "changed", "new.txt": "1" });
    await bench.workspace.remove(bench.refOf(info, request));
    const restore = { ...request, generation: 2, restore: true };
    await orNull(make(dying.host).create(restore));
    const again = await bench.workspace.create(restore);
    expect(git(again.path, "status", "--porcelain")).toBe(" M README.md\n?? new.txt\n");
    expect(git(again.path, "stash", "list").trim().split("\n")).toHaveLength(1);
    expect(again.restoredFrom).toBe(`refs/ao/preserved/${session}/1`);
  });
});

test("a half-made clone with someone's file in it is left alone, and said to be unknown", async () => {
  const make = maker();
  const bench = openBench(make);
  const request = bench.request("one");
  const path = join(bench.repo, ".worktrees/one");
  for (let effects = 1; !existsSync(path); effects += 1) await orNull(make(dyingHost(effects).host).create(request));
  expect(readdirSync(path)).toEqual([".git"]);
  writeFiles(path, { "precious.txt": "mine" });
  const answer = await bench.workspace.reconcileCreate(request);
  expect(answer).toEqual({ kind: "unknown", reason: expect.stringContaining("precious.txt") });
  await expect(bench.workspace.create(request)).rejects.toMatchObject({ code: "conflict" });
  expect(readFileSync(join(path, "precious.txt"), "utf8")).toBe("mine");
});

test("a repository that someone else put in the place is left alone", async () => {
  const bench = openBench(maker());
  const path = join(bench.repo, ".worktrees/one");
  mkdirSync(path, { recursive: true });
  git(path, "init", "-q");
  await expect(bench.workspace.create(bench.request("one"))).rejects.toMatchObject({ code: "conflict" });
  expect(readdirSync(path)).toEqual([".git"]);
});

test("a mirror that was left broken is made again", async () => {
  const home = tempDir();
  const bench = openBench((host) => clone.create(clone.config.parse({}), host, { home, projectPath: "" }));
  await bench.workspace.create(bench.request("one"));
  const [mirror] = readdirSync(join(home, "clones"));
  writeFileSync(join(home, "clones", mirror ?? "", "packed-refs"), "not a ref\n");
  const info = await bench.workspace.create(bench.request("two"));
  expect(git(info.path, "status", "--porcelain")).toBe("");
});
