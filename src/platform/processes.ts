import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { AoError } from "../core/errors.ts";
import type { HostProcesses, ProcessIdentity } from "../ports/host.ts";
import { converse } from "./converse.ts";
import { exec } from "./exec.ts";
import { ExecError } from "./exec-error.ts";

/** Yields after this many processes, so that scanning all of them never blocks the daemon. */
const PIDS_PER_TURN = 64;
/** Retries for a process that is in the middle of an exec, and the delay between them. */
const MAX_LOOKS = 10;
const MAX_LOOKS_AT_EXEC = 500;
const LOOK_AGAIN_MS = 2;

/** The Host's processes: /proc on Linux, `ps` elsewhere. */
export function createHostProcesses(): HostProcesses {
  const table = process.platform === "linux" ? procTable() : psTable();
  return {
    converse,
    launch,
    identify: table.identify,
    isAlive: (identity) => table.identify(identity.pid)?.started === identity.started,
    findByIntent: table.findByIntent,
    firstChild,
    groupMembers: table.groupMembers,
    signal: (pid, signal) => {
      try {
        process.kill(pid, signal);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    },
  };

  function launch(request: Parameters<HostProcesses["launch"]>[0]): Promise<ProcessIdentity> {
    return new Promise((resolve, reject) => {
      const child = spawn(request.program, [...request.args], {
        cwd: request.cwd,
        env: { ...request.env },
        stdio: "ignore",
        detached: true,
      });
      child.once("error", (cause) =>
        reject(
          new ExecError(
            {
              program: request.program,
              args: request.args,
              cwd: request.cwd,
              reason: "spawn",
              code: null,
              signal: null,
              stderrTail: "",
              detail: cause.message,
            },
            cause,
          ),
        ),
      );
      child.once("spawn", () => {
        child.unref();
        const pid = child.pid as number;
        resolve(table.identify(pid) ?? { pid, started: "ended" });
      });
    });
  }
}

type Table = Pick<HostProcesses, "identify" | "findByIntent" | "groupMembers">;

interface ProcStat {
  readonly state: string;
  readonly pgid: number;
  readonly started: string;
}

function procTable(): Table {
  const identify = (pid: number): ProcessIdentity | null => {
    const stat = readStat(pid);
    return stat === null || stat.state === "Z" || stat.state === "X" ? null : { pid, started: stat.started };
  };
  return {
    identify,
    findByIntent: async (intentId, among) => {
      const found: number[] = [];
      let rest: readonly number[] = among ?? (await listPids());
      for (let looks = 1; rest.length > 0; looks += 1) {
        if (looks > 1) await pause(LOOK_AGAIN_MS);
        const seen = await lookThrough(rest, intentId);
        found.push(...seen.yes);
        rest = [...(looks < MAX_LOOKS ? seen.empty : []), ...(looks < MAX_LOOKS_AT_EXEC ? seen.becoming : [])];
      }
      return found.flatMap((pid) => identify(pid) ?? []);
    },
    groupMembers: async (pgid) =>
      (await listPids()).flatMap((pid) => {
        const stat = readStat(pid);
        const member = stat !== null && stat.pgid === pgid && stat.state !== "Z" && stat.state !== "X";
        return member ? [{ pid, started: stat.started }] : [];
      }),
  };
}

async function lookThrough(
  pids: readonly number[],
  intentId: string,
): Promise<Readonly<Record<Look, readonly number[]>>> {
  const seen: Record<Look, number[]> = { yes: [], no: [], empty: [], becoming: [] };
  for (const [index, pid] of pids.entries()) {
    if (index % PIDS_PER_TURN === PIDS_PER_TURN - 1) await nextTurn();
    seen[hasIntent(pid, intentId)].push(pid);
  }
  return seen;
}

// During an exec, a process's environment and command line read as empty, on a busy machine for some time.
type Look = "yes" | "no" | "empty" | "becoming";

// The kernel answers from memory: a synchronous read is several times cheaper here than one through the thread pool.
function hasIntent(pid: number, intentId: string): Look {
  try {
    const environ = readFileSync(`/proc/${pid}/environ`, "utf8");
    if (environ.split("\0").includes(`AO_INTENT=${intentId}`)) return "yes";
    if (environ !== "") return "no";
    const stat = readStat(pid);
    // A kernel thread (group 0) and a zombie never have an environment.
    if (stat === null || stat.pgid === 0 || stat.state === "Z" || stat.state === "X") return "no";
    return readFileSync(`/proc/${pid}/cmdline`, "utf8") === "" ? "becoming" : "empty";
  } catch {
    return "no";
  }
}

async function listPids(): Promise<number[]> {
  return (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
}

// The command name in field 2 may hold spaces and parentheses, so fields are counted from the last ")".
function readStat(pid: number): ProcStat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", pgid: Number(fields[2]), started: fields[19] ?? "" };
  } catch {
    return null;
  }
}

// Only needed for sandboxed programs, which exist on Linux only.
function firstChild(pid: number): number | null {
  try {
    const [first = ""] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
    return first === "" ? null : Number(first);
  } catch {
    return null;
  }
}

function psTable(): Table {
  const rows = async (args: readonly string[]): Promise<string[]> =>
    (await exec({ program: "ps", args, okCodes: [0, 1] })).stdout.split("\n").filter((line) => line.trim() !== "");
  const identify = (pid: number): ProcessIdentity | null => {
    try {
      process.kill(pid, 0);
      // Reading the start time would require a process; the run folder's lock guards against pid reuse.
      return { pid, started: "alive" };
    } catch {
      return null;
    }
  };
  return {
    identify,
    findByIntent: async (intentId, among) =>
      (await rows(["-axEww", "-o", "pid=,command="]))
        .filter((line) => line.includes(`AO_INTENT=${intentId}`))
        .flatMap((line) => identify(Number.parseInt(line, 10)) ?? [])
        .filter(({ pid }) => among === undefined || among.includes(pid)),
    groupMembers: async (pgid) =>
      (await rows(["-ax", "-o", "pid=,pgid=,stat="]))
        .map((line) => line.trim().split(/\s+/))
        .filter(([, group, stat]) => Number(group) === pgid && stat?.startsWith("Z") === false)
        .flatMap(([pid]) => identify(Number(pid)) ?? []),
  };
}

/** Throws on a platform without adapters. */
export function requireSupportedPlatform(platform: NodeJS.Platform): void {
  if (platform === "linux" || platform === "darwin") return;
  throw new AoError({
    code: "unsupported",
    message: `ao does not run on ${platform === "win32" ? "Windows" : platform} yet.`,
    hint: "Use Linux, macOS, or WSL2 on Windows.",
  });
}
