import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createNodeHost } from "../../platform/host.ts";
import { createSilentLog } from "../../platform/log.ts";
import type { CloneResult, Host } from "../../ports/host.ts";
import { git, makeRepo, writeFiles } from "../../testing/git-repo.ts";
import { tempDir } from "../../testing/temp.ts";
import { CheckoutConfig } from "./config.ts";
import { copyIgnored } from "./copy-ignored.ts";
import { createGit } from "./git.ts";
import { createLane } from "./lane.ts";
import type { Tools } from "./tools.ts";

const REPO = { ".gitignore": "node_modules/\nvendor/\n", "package.json": "{}" };

function open(config: unknown = {}, clone?: (real: Host) => Host["fs"]["cloneTree"]) {
  const path = makeRepo(join(tempDir(), "repo"), REPO);
  writeFiles(path, { "node_modules/left/index.js": "left\n" });
  const folder = join(path, ".worktrees/one");
  mkdirSync(folder, { recursive: true });
  const real = createNodeHost({ log: createSilentLog() });
  const host: Host = clone === undefined ? real : { ...real, fs: { ...real.fs, cloneTree: clone(real) } };
  const copyConfig = CheckoutConfig.parse({ copyIgnored: config });
  const tools: Tools = { host, git: createGit(host), lane: createLane(), config: copyConfig };
  const project = { id: "p", path, defaultBranch: "main" };
  return { path, folder, project, run: (changes = {}) => copyIgnored(tools, { ...project, ...changes }, folder) };
}

/** A host whose file system does or does not share blocks; everything else is real. */
function answering(result: CloneResult): (real: Host) => Host["fs"]["cloneTree"] {
  return (real) => async (from, to, how) => {
    expect(how).toBe("cow");
    if (result !== "impossible") await real.fs.cloneTree(from, to, "copy");
    return result;
  };
}

test("clones node_modules by default where the file system can, and reports it", async () => {
  const { folder, run } = open({}, answering("cloned"));
  expect(await run()).toEqual({
    paths: ["node_modules"],
    notes: ["node_modules was cloned from the main checkout, copy-on-write."],
  });
  expect(readFileSync(join(folder, "node_modules/left/index.js"), "utf8")).toBe("left\n");
});

test("copies nothing by default where the file system cannot, without a note", async () => {
  const { folder, run } = open({}, answering("impossible"));
  expect(await run()).toEqual({ paths: [], notes: [] });
  expect(readdirSync(folder)).toEqual([]);
});

test("reports that the file system cannot clone if cow is configured", async () => {
  const { run } = open({ how: "cow" }, answering("impossible"));
  expect(await run()).toEqual({ paths: [], notes: [expect.stringContaining("cannot")] });
});

test("shares files with the main checkout if hard links are configured", async () => {
  const { path, folder, run } = open({ how: "hardlink" });
  expect((await run()).notes).toEqual([expect.stringContaining("changes in both")]);
  const file = "node_modules/left/index.js";
  expect(lstatSync(join(folder, file)).ino).toBe(lstatSync(join(path, file)).ino);
});

test("copies further folders if configured", async () => {
  const { path, folder, run } = open({ how: "copy", paths: ["./vendor/", "node_modules", "packages/a/node_modules"] });
  writeFiles(path, { "vendor/lib.txt": "lib", "packages/a/node_modules/x.js": "x" });
  expect((await run()).paths).toEqual(["vendor", "node_modules", "packages/a/node_modules"]);
  writeFileSync(join(folder, "vendor/lib.txt"), "changed");
  expect(readFileSync(join(path, "vendor/lib.txt"), "utf8")).toBe("lib");
  expect(existsSync(join(folder, "packages/a/node_modules/x.js"))).toBe(true);
});

test("skips what git tracks, what is linked, what already exists, and what is not wanted", async () => {
  const { path, folder, run } = open({ how: "copy", paths: ["src", "node_modules", "vendor", "none"] });
  writeFiles(path, { "src/a.ts": "a", "vendor/lib.txt": "lib" });
  git(path, "add", "-A");
  writeFiles(folder, { "vendor/own.txt": "own" });
  expect(await run({ symlinks: ["node_modules/"] })).toEqual({ paths: [], notes: [] });
  const none = open({ how: "none" });
  expect(await none.run()).toEqual({ paths: [], notes: [] });
});

test("writes nothing through a link that replaced a folder", async () => {
  const { folder, path, run } = open({ how: "copy", paths: ["packages/node_modules"] });
  writeFiles(path, { "packages/node_modules/x.js": "x" });
  writeFiles(folder, { packages: "a file" });
  expect(await run()).toEqual({ paths: [], notes: [] });
});

test("reports why a copy failed, and leaves no partial copy", async () => {
  const { path, folder, run } = open({ how: "copy" }, (real) => async (from, to, how) => {
    await real.fs.cloneTree(from, to, how);
    throw new Error("the disk is full");
  });
  expect(await run()).toEqual({ paths: [], notes: ["node_modules was not copied: the disk is full"] });
  expect(readdirSync(folder)).toEqual([]);
  expect(readdirSync(join(path, ".worktrees"))).toEqual(["one"]);
});

test("removes what a crash left of an earlier copy", async () => {
  const { path, folder, run } = open({ how: "copy" });
  writeFiles(path, { ".worktrees/.ao-copying-one/half.js": "half" });
  await run();
  expect(readdirSync(join(folder, "node_modules"))).toEqual(["left"]);
});

test.each(["../outside", "/etc", ".git/hooks", ""])("rejects the path %j", (path) => {
  expect(CheckoutConfig.safeParse({ copyIgnored: { paths: [path] } }).success).toBe(false);
});
