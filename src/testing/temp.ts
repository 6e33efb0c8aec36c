import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder that is removed after the test. */
export function tempDir(prefix = "ao-test-", parent = tmpdir()): string {
  const path = realpathSync(mkdtempSync(join(parent, prefix)));
  onTestFinished(() => removeFolder(path));
  return path;
}

/** The on-disk temporary folder, if that of tests is in memory (test/support/memory-folder.ts). */
export function diskFolder(): string {
  return process.env["AO_DISK_TMPDIR"] ?? tmpdir();
}

/** A folder on another file system than this path, removed after the test; null if this machine has none. */
export function tempDirElsewhere(path: string): string | null {
  const { dev } = lstatSync(path);
  const parent = ["/dev/shm", diskFolder()].find((folder) => existsSync(folder) && statSync(folder).dev !== dev);
  return parent === undefined ? null : tempDir("ao-test-", parent);
}

/** A file system of this many MiB for one test, so that a program can fill it; null: this user cannot mount one. */
export function smallDisk(mib: number): string | null {
  const folder = tempDir("ao-disk-");
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${mib}m`, "tmpfs", folder]);
  if (mounted.status !== 0) return null;
  onTestFinished(() => void spawnSync("umount", ["-l", folder]));
  return folder;
}

/** Removes a folder that a just-killed process may still write to. */
export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
