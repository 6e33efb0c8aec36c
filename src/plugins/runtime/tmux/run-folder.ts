import { join } from "node:path";
import type { Host, ProcessIdentity } from "../../../ports/host.ts";

/** The files of a run, and who writes them. */
export interface RunFiles {
  /** Folder, by `start`: this run was requested. */
  readonly lock: string;
  /** Folder, by the wrapper (the program runs) or by `ao` (it never will). */
  readonly claim: string;
  /** By `start`: the value of AO_INTENT, which identifies every descendant. */
  readonly intent: string;
  readonly wrap: string;
  /** By `start`, mode 0600, removed by the program's shell after reading it. */
  readonly launch: string;
  readonly wrapper: string;
  readonly pid: string;
  /** By whoever sees the pid first: pid and start time, so that a reused pid is never mistaken for the program. */
  readonly identity: string;
  /** By the wrapper: the exit code. */
  readonly exit: string;
  /** By the wrapper or by whoever gave up on the run: why there is no exit code. */
  readonly gone: string;
  /** By tmux: every byte of the terminal; or by a program that speaks the `lines` protocol next to it. */
  readonly out: string;
  /** By `ao`: the lines for such a program. */
  readonly inbox: string;
  /** By tmux: every byte of the terminal of such a program. */
  readonly screen: string;
  /** By the typing guard. */
  readonly typing: string;
}

/** Paths of a run's files. */
export function runFiles(runDir: string): RunFiles {
  return {
    lock: join(runDir, "lock"),
    claim: join(runDir, "claim"),
    intent: join(runDir, "intent"),
    wrap: join(runDir, "wrap.sh"),
    launch: join(runDir, "launch"),
    wrapper: join(runDir, "wrapper"),
    pid: join(runDir, "pid"),
    identity: join(runDir, "identity.json"),
    exit: join(runDir, "exit"),
    gone: join(runDir, "gone"),
    out: join(runDir, "out"),
    inbox: join(runDir, "in"),
    screen: join(runDir, "screen"),
    typing: join(runDir, "typing.json"),
  };
}

export interface RunProcesses {
  readonly program: ProcessIdentity | null;
  /** The pane's own process, leader of the program's group. */
  readonly wrapper: ProcessIdentity | null;
}

/** Reads a file with one number; null while it is missing or not yet written. */
export async function readNumber(host: Host, path: string): Promise<number | null> {
  const text = (await host.fs.readText(path))?.trim() ?? "";
  return /^\d+$/.test(text) ? Number(text) : null;
}

/**
 * The identities of a run's processes. A shell cannot write a process's start time, so the files `pid` and `wrapper`
 * contain bare numbers; the first probe that finds these numbers on processes with our AO_INTENT, which a reused pid
 * does not have, saves the identities. From then on a probe needs no scan.
 */
export async function readProcesses(host: Host, files: RunFiles): Promise<RunProcesses> {
  const saved = await host.fs.readText(files.identity);
  if (saved !== null) return JSON.parse(saved) as RunProcesses;
  const intent = await host.fs.readText(files.intent);
  if (intent === null) return { program: null, wrapper: null };
  const [pid, wrapperPid] = [await readNumber(host, files.pid), await readNumber(host, files.wrapper)];
  const ours = await host.processes.findByIntent(intent);
  const found: RunProcesses = {
    program: ours.find((one) => one.pid === pid) ?? null,
    wrapper: ours.find((one) => one.pid === wrapperPid) ?? null,
  };
  if (found.program !== null && found.wrapper !== null) {
    // It only saves later probes a scan: a program that fills the disk is alive nevertheless.
    await host.fs
      .writeText(files.identity, JSON.stringify(found))
      .catch((error: unknown) =>
        host.log.debug("could not record the identity of a run", { path: files.identity, reason: String(error) }),
      );
  }
  return found;
}

/** Is exactly this process alive? */
export function isAlive(host: Host, identity: ProcessIdentity | null): identity is ProcessIdentity {
  return identity !== null && host.processes.isAlive(identity);
}
