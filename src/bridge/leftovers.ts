import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** The variable that identifies everything an agent started, even processes that left the process group. */
export const MARK = "AO_BRIDGE";

const ROUNDS = 20;
const ROUND_MS = 50;

// An agent may have called `ao` while no daemon was running: the daemon that this started is not the agent's to end.
const DAEMON = fileURLToPath(new URL("../app/daemon", import.meta.url));

/** Ends every process that carries the mark. Agents run tools in their own sessions, which outlive a killed agent. */
export async function endLeftovers(mark: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const pids = findMarked(`${MARK}=${mark}`);
    if (pids.length === 0) return;
    for (const pid of pids) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended meanwhile.
      }
    }
    await pause(ROUND_MS);
  }
}

function findMarked(entry: string): readonly number[] {
  const found = existsSync("/proc/self/environ") ? listFromProc(entry) : listFromPs(entry);
  return found.filter(({ pid, command }) => pid !== process.pid && !command.includes(DAEMON)).map(({ pid }) => pid);
}

interface Found {
  readonly pid: number;
  readonly command: string;
}

function listFromProc(entry: string): readonly Found[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      // A zombie has an empty environment.
      if (!readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(entry)) return [];
      return [{ pid: Number(pid), command: readFileSync(`/proc/${pid}/cmdline`, "utf8") }];
    } catch {
      return [];
    }
  });
}

function listFromPs(entry: string): readonly Found[] {
  const rows = execFileSync("ps", ["-axEww", "-o", "pid=,command="], { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  return rows
    .split("\n")
    .filter((row) => row.includes(entry))
    .map((row) => ({ pid: Number.parseInt(row, 10), command: row }));
}
