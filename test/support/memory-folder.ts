import { accessSync, constants, mkdtempSync, readdirSync, readFileSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../../src/testing/temp.ts";

const MEMORY = "/dev/shm";
const PREFIX = "ao-run-";
/** A whole run needs a tenth of it at a time. */
const ENOUGH_BYTES = 4 * 2 ** 30;

let folder: string | null = null;

/**
 * Before the first worker starts: keeps the temporary files of all tests in memory if there is room. On a disk, git and SQLite
 * wait for every sync, which takes most of the time of a run. `AO_TEST_ON_DISK=1` keeps them in TMPDIR.
 */
export function setup(): void {
  // Each project of vitest.config.ts calls this once.
  if (process.env["AO_DISK_TMPDIR"] !== undefined) return;
  if (process.env["AO_TEST_ON_DISK"] === "1" || !hasRoomInMemory()) return;
  removeLeftovers();
  folder = mkdtempSync(join(MEMORY, `${PREFIX}${process.pid}-`));
  process.env["AO_DISK_TMPDIR"] = tmpdir();
  process.env["TMPDIR"] = folder;
}

/** After the last test. */
export function teardown(): void {
  if (folder !== null) removeFolder(folder);
  folder = null;
}

function hasRoomInMemory(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const mount = readFileSync("/proc/self/mounts", "utf8").match(/^\S+ \/dev\/shm tmpfs (\S+)/m);
    if (mount === null || mount[1]?.split(",").includes("noexec")) return false;
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, process.availableMemory()) >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}

/** Removes leftovers of a killed run, which would take up memory. */
function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY)) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : 0;
    if (pid > 0 && !isAlive(pid)) removeFolder(join(MEMORY, name));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
