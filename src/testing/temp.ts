import { existsSync, lstatSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder that goes away with the test. */
export function tempDir(prefix = "ao-test-", parent = tmpdir()): string {
  const path = realpathSync(mkdtempSync(join(parent, prefix)));
  onTestFinished(() => removeFolder(path));
  return path;
}

/** Where temporary folders are on a disk, when those of tests are in memory (test/support/memory-folder.ts). */
export function diskFolder(): string {
  return process.env["AO_DISK_TMPDIR"] ?? tmpdir();
}

/** A folder on another file system than this path, which goes away with the test; null if this machine has none. */
export function tempDirElsewhere(path: string): string | null {
  const { dev } = lstatSync(path);
  const parent = ["/dev/shm", diskFolder()].find((folder) => existsSync(folder) && statSync(folder).dev !== dev);
  return parent === undefined ? null : tempDir("ao-test-", parent);
}

/** Removes a folder in which what was just killed may still write. */
export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
