import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

const TICKS_PER_SECOND = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** Resident memory of a process in MiB. */
export function residentMiB(pid) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** CPU seconds that a process has used (all threads), and page faults of its ended children. */
export function usageOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in field 2 may hold spaces and parentheses, so fields are counted from its end: [0] is field 3.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND, childFaults: Number(fields[8]) };
}

/** Live processes whose environment has an AO_HOME in a folder: daemons, their tools, agents with their holders. */
export function processesBelow(folder) {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "utf8")
          .split("\0")
          .some((entry) => entry.startsWith(`AO_HOME=${folder}`));
      } catch {
        return false;
      }
    });
}

/** Inotify instances that these processes hold; a user has 128 of them on most systems. */
export function countWatchers(pids) {
  const links = pids.flatMap((pid) => {
    try {
      return readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`));
    } catch {
      return [];
    }
  });
  return links.filter((link) => link === "anon_inode:inotify").length;
}

/** Kills these processes; ones that have already ended are ignored. */
export function endAll(pids) {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself.
    }
  }
}
