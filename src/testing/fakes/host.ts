import type { Clock, Host, HostProcesses, Log, ProcessIdentity } from "../../ports/host.ts";
import { HttpError } from "../../ports/http.ts";
import { createMemoryFs } from "./memory-fs.ts";

export interface LogLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The processes of a machine in memory. */
export interface ProcessTable {
  /** A new process; `onSignal` is called for every signal it gets. */
  add(intentId: string, onSignal: (signal: string) => void): ProcessIdentity;
  remove(pid: number): void;
}

export interface FakeMachine {
  readonly host: Host;
  readonly table: ProcessTable;
  readonly logged: readonly LogLine[];
}

export interface FakeMachineOptions {
  readonly clock: Clock;
  readonly env?: Readonly<Record<string, string>>;
  /** Runs programs; by default every program is missing. */
  readonly exec?: Host["exec"];
}

/** A machine without a disk, real processes or a network. */
export function createFakeMachine({ clock, env = {}, exec = refuse }: FakeMachineOptions): FakeMachine {
  const logged: LogLine[] = [];
  const { table, processes } = createProcesses();
  const asset = { program: "none", args: [] };
  const script = { program: "none", script: "none" };
  return {
    table,
    logged,
    host: {
      exec,
      clock,
      env,
      processes,
      fs: createMemoryFs(clock.now),
      http: () => Promise.reject(new HttpError("unreachable", "there is no network here")),
      log: createLog(logged),
      withIntent: (_intentId, work) => work(),
      assets: { holder: "none", rehearsal: asset, bridge: asset, gate: script, hookRunner: script },
    },
  };
}

function createProcesses(): { readonly table: ProcessTable; readonly processes: HostProcesses } {
  interface Entry extends ProcessIdentity {
    readonly intentId: string;
    readonly onSignal: (signal: string) => void;
  }
  const alive = new Map<number, Entry>();
  let last = 1000;
  const identify = (pid: number): ProcessIdentity | null => {
    const entry = alive.get(pid);
    return entry === undefined ? null : { pid, started: entry.started };
  };
  return {
    table: {
      add: (intentId, onSignal) => {
        last += 1;
        const entry = { pid: last, started: `start-${last}`, intentId, onSignal };
        alive.set(last, entry);
        return { pid: entry.pid, started: entry.started };
      },
      remove: (pid) => alive.delete(pid),
    },
    processes: {
      converse: () => {
        throw new Error("this machine starts no programs");
      },
      launch: () => Promise.reject(new Error("this machine starts no programs")),
      identify,
      isAlive: ({ pid, started }) => alive.get(pid)?.started === started,
      findByIntent: async (intentId, among) =>
        [...alive.values()].filter(
          (entry) => entry.intentId === intentId && (among === undefined || among.includes(entry.pid)),
        ),
      firstChild: () => null,
      groupMembers: async (pgid) => [identify(pgid)].filter((entry) => entry !== null),
      signal: (pid, signal) => alive.get(Math.abs(pid))?.onSignal(signal),
    },
  };
}

function createLog(lines: LogLine[]): Log {
  const at =
    (level: LogLine["level"]) =>
    (message: string, data: LogLine["data"] = {}): void => {
      lines.push({ level, message, data });
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

function refuse(): Promise<never> {
  return Promise.reject(new Error("this machine has no programs"));
}
