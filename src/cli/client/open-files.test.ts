import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { AoError } from "../../core/errors.ts";
import { tempDir } from "../../testing/temp.ts";
import { unreachable } from "./client.ts";
import { findReachedLimit } from "./open-files.ts";

/** What Linux says of the processes of a machine on which one has this many files open. */
function aProc(open: number, limit: string): string {
  const proc = tempDir();
  mkdirSync(join(proc, "7/fd"), { recursive: true });
  for (let n = 0; n < open; n += 1) writeFileSync(join(proc, "7/fd", `${n}`), "");
  const rows = [
    "Limit                     Soft Limit           Hard Limit           Units",
    `Max open files            ${limit}`,
  ];
  writeFileSync(join(proc, "7/limits"), `${rows.join("\n")}\n`);
  return proc;
}

it.each([
  [80, "80                   80                   files", 80],
  [78, "80                   4096                 files", 80],
  [20, "80                   80                   files", null],
  [20, "unlimited            unlimited            files", null],
])("%i open files under the limit of %s are judged", (open, limit, expected) => {
  expect(findReachedLimit(7, aProc(open, limit))).toEqual(expected);
});

it.each([8, null])("a process that is gone, or not known (%o), is not at its limit", (pid) => {
  expect(findReachedLimit(pid, aProc(80, "80 80 files"))).toBeNull();
});

it("a daemon at its limit is named as the reason why it closes connections, with what helps", () => {
  const home = tempDir();
  const paths = { daemon: join(home, "daemon.json"), log: join(home, "daemon.log"), socket: join(home, "ao.sock") };
  writeFileSync(paths.daemon, JSON.stringify({ pid: 7 }));
  const broken = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
  const told = (open: number): AoError => unreachable(paths, broken, aProc(open, "80 80 files"));
  expect(told(80).message).toBe("the daemon (pid 7) accepts no connection: it has all of its 80 files open");
  expect(told(80).hint).toMatch(/ulimit -n .*ao start/);
  expect(told(20).message).toBe("the daemon cannot be reached: it closed the connection without an answer (EPIPE)");
});
