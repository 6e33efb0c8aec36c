import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { tempDir, tempDirElsewhere } from "../testing/temp.ts";
import { createCloneTree } from "./clone-tree.ts";

/** A tree like a package folder: programs, links, a read-only folder, an empty one, an old file. */
function makeTree(root: string): string {
  const from = join(root, "from");
  mkdirSync(join(from, "package/deep"), { recursive: true });
  mkdirSync(join(from, ".bin"));
  mkdirSync(join(from, "empty"));
  writeFileSync(join(from, "package/run.js"), "run\n");
  chmodSync(join(from, "package/run.js"), 0o755);
  writeFileSync(join(from, "package/deep/ü \n.txt"), "odd\n");
  utimesSync(join(from, "package/deep/ü \n.txt"), 1000, 2000);
  symlinkSync("../package/run.js", join(from, ".bin/run"));
  chmodSync(join(from, "package/deep"), 0o555);
  return from;
}

function expectSame(from: string, to: string): void {
  expect(readdirSync(to, { recursive: true }).sort()).toEqual(readdirSync(from, { recursive: true }).sort());
  expect(readFileSync(join(to, "package/run.js"), "utf8")).toBe("run\n");
  expect(statSync(join(to, "package/run.js")).mode & 0o777).toBe(0o755);
  expect(statSync(join(to, "package/deep")).mode & 0o777).toBe(0o555);
  expect(statSync(join(to, "package/deep/ü \n.txt")).mtimeMs).toBe(2_000_000);
  expect(readlinkSync(join(to, ".bin/run"))).toBe("../package/run.js");
}

function inode(path: string): number {
  return lstatSync(path).ino;
}

describe("cloneTree", () => {
  test("links every file, so both paths are the same file", async () => {
    const root = tempDir();
    const [from, to] = [makeTree(root), join(root, "to")];
    expect(await createCloneTree()(from, to, "hardlink")).toBe("linked");
    expectSame(from, to);
    expect(inode(join(to, "package/run.js"))).toBe(inode(join(from, "package/run.js")));
    writeFileSync(join(to, "package/run.js"), "changed\n");
    expect(readFileSync(join(from, "package/run.js"), "utf8")).toBe("changed\n");
  });

  test("copies every file, so neither copy affects the other", async () => {
    const root = tempDir();
    const [from, to] = [makeTree(root), join(root, "to")];
    expect(await createCloneTree()(from, to, "copy")).toBe("copied");
    expectSame(from, to);
    expect(inode(join(to, "package/run.js"))).not.toBe(inode(join(from, "package/run.js")));
  });

  test("clones where the file system can, and leaves nothing behind where it cannot", async () => {
    const root = tempDir();
    const [from, to] = [makeTree(root), join(root, "to")];
    const result = await createCloneTree()(from, to, "cow");
    expect(["cloned", "impossible"]).toContain(result);
    if (result === "cloned") expectSame(from, to);
    else expect(existsSync(to)).toBe(false);
  });

  test.for(["cow", "hardlink"] as const)(
    "leaves nothing behind when it would cross file systems: %s",
    async (how, context) => {
      const root = tempDir();
      const from = makeTree(root);
      const elsewhere = tempDirElsewhere(root);
      if (elsewhere === null) return context.skip("needs a second file system at /dev/shm");
      const to = join(elsewhere, "to");
      const cloneTree = createCloneTree();
      for (const _ of ["first", "remembered"]) expect(await cloneTree(from, to, how)).toBe("impossible");
      expect(existsSync(to)).toBe(false);
    },
  );

  test("never touches existing files, and leaves no partial tree after a failure", async () => {
    const root = tempDir();
    const from = makeTree(root);
    mkdirSync(join(root, "to"));
    writeFileSync(join(root, "to/mine"), "mine");
    await expect(createCloneTree()(from, join(root, "to"), "copy")).rejects.toMatchObject({ code: "EEXIST" });
    expect(readdirSync(join(root, "to"))).toEqual(["mine"]);
    await expect(createCloneTree()(join(root, "none"), join(root, "new"), "copy")).rejects.toMatchObject({
      code: "ENOENT",
    });
    expect(existsSync(join(root, "new"))).toBe(false);
  });
});

/** A file system in an image file that shares blocks, for one test; null where this machine cannot mount one. */
function mountSharing(): string | null {
  const root = tempDir();
  const [image, mount] = [join(root, "image"), join(root, "mount")];
  try {
    writeFileSync(image, "");
    truncateSync(image, 400 * 1024 * 1024);
    mkdirSync(mount);
    execFileSync("mkfs.xfs", ["-q", "-m", "reflink=1", image], { stdio: "ignore" });
    execFileSync("mount", ["-o", "loop", image, mount], { stdio: "ignore" });
  } catch {
    return null;
  }
  // Cleanups run in reverse order, so this one runs before the folder is removed.
  onTestFinished(() => void execFileSync("umount", [mount]));
  return mount;
}

function usedKilobytes(root: string): number {
  execFileSync("sync", ["-f", root]);
  return Number(execFileSync("df", ["--output=used", "-k", root], { encoding: "utf8" }).split("\n")[1]);
}

test("a clone uses no space for its data and changes independently, on a file system that shares blocks", async (context) => {
  const root = mountSharing();
  if (root === null) return context.skip("needs root, mkfs.xfs and a loop device");
  const [from, to] = [makeTree(root), join(root, "to")];
  writeFileSync(join(from, "large.bin"), Buffer.alloc(32 * 1024 * 1024, 7));
  const before = usedKilobytes(root);
  expect(await createCloneTree()(from, to, "cow")).toBe("cloned");
  expectSame(from, to);
  expect(usedKilobytes(root) - before).toBeLessThan(4 * 1024);
  writeFileSync(join(to, "package/run.js"), "changed\n");
  expect(readFileSync(join(from, "package/run.js"), "utf8")).toBe("run\n");
});
