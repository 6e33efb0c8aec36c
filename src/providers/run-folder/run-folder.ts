import { join } from "node:path";
import { AoError } from "../../core/errors.ts";
import type { Host, ProcessIdentity } from "../../ports/host.ts";
import { pause, pollUntil } from "../../ports/poll.ts";
import type { RunProbe, RunSpec, StartAnswer } from "../../ports/runtime.ts";

/** How long a start may take while its processes live: on a busy machine they have to wait. */
const START_LIMIT_MS = 60_000;
/** How long a starting run may have no process at all. */
const YOUNG_MS = 5000;

/** A program that runs under the holder: everything known about it is in its folder. */
export type HeldRun = Pick<RunSpec, "runDir" | "intentId" | "argv" | "cwd" | "env" | "initialInput"> & {
  readonly input: "inbox" | "file";
};

/** The folder of a run, which is enough to inspect or end it. */
export type HeldRef = Pick<HeldRun, "runDir">;

/** Starts the program once per folder; a second call for the same folder adopts the first. */
export async function startRun(host: Host, spec: HeldRun): Promise<StartAnswer> {
  await host.fs.makeDir(spec.runDir, { mode: 0o700 });
  const locked = (await host.fs.stat(join(spec.runDir, "lock"))) !== null;
  if (!locked) {
    const inbox = join(spec.runDir, "in");
    if ((await host.fs.stat(inbox)) === null) await host.fs.writeText(inbox, spec.initialInput, { mode: 0o600 });
    await host.fs.writeText(join(spec.runDir, "intent"), spec.intentId, { mode: 0o600 });
    await host.processes.launch({
      program: "/bin/sh",
      args: [host.assets.holder, spec.runDir, spec.input === "inbox" ? "bell" : "file", ...spec.argv],
      cwd: spec.cwd,
      env: { ...spec.env, AO_INTENT: spec.intentId },
    });
  }
  return awaitStart(host, spec);
}

async function awaitStart(host: Host, ref: HeldRef): Promise<StartAnswer> {
  // Counted in pauses: the wall clock may jump ahead, and the program would be given up just as it starts.
  let waitedMs = 0;
  for (let pauseMs = 2; ; pauseMs = Math.min(pauseMs * 2, waitedMs < YOUNG_MS ? 50 : 500)) {
    const seen = await probeRun(host, ref);
    if (seen.kind === "exited") return { kind: "exited", code: seen.code };
    if (seen.kind === "alive") {
      // Without it, for example on a full disk, the mark in the environment still identifies our process.
      await recordIdentity(host, ref, seen.pid).catch(() => undefined);
      return { kind: "started", pid: seen.pid };
    }
    const isDead = waitedMs > YOUNG_MS && !(await hasProcesses(host, ref));
    if (isDead || waitedMs > START_LIMIT_MS) {
      throw new AoError({
        code: "plugin-failed",
        message: `The process could not be started: ${"evidence" in seen ? seen.evidence : "it never reported its pid"}.`,
        hint: `Look at ${join(ref.runDir, "err")}.`,
      });
    }
    await pause(host.clock, pauseMs);
    waitedMs += pauseMs;
  }
}

// A pid and its start time together stay unique even if the pid is reused, for example after a reboot.
async function recordIdentity(host: Host, ref: HeldRef, pid: number): Promise<void> {
  const identity = host.processes.identify(pid);
  if (identity !== null)
    await host.fs.writeText(join(ref.runDir, "identity"), JSON.stringify(identity), { mode: 0o600 });
}

/** The state of a run, from its folder and its live processes. */
export async function probeRun(host: Host, ref: HeldRef): Promise<RunProbe> {
  const exit = await host.fs.readText(join(ref.runDir, "exit"));
  if (exit !== null) return { kind: "exited", code: Number.parseInt(exit, 10) };
  const pid = await readPid(host, ref);
  if (Number.isNaN(pid)) return probeUnstarted(host, ref);
  if (await isOurs(host, ref, pid)) return { kind: "alive", pid };
  if (await holderLives(host, ref)) return { kind: "starting" };
  // The holder writes the exit file before it ends, so read it last, when no process is left that could still write it.
  const late = await host.fs.readText(join(ref.runDir, "exit"));
  if (late !== null) return { kind: "exited", code: Number.parseInt(late, 10) };
  return { kind: "gone", evidence: "its process is gone without a recorded exit" };
}

// In a sandbox, the holder's child only waits. Bubblewrap records the first process inside, and the program is its
// child.
async function readPid(host: Host, ref: HeldRef): Promise<number> {
  const told = await host.fs.readText(join(ref.runDir, "sandbox"));
  if (told === null) return Number.parseInt((await host.fs.readText(join(ref.runDir, "pid"))) ?? "", 10);
  const recorded = await host.fs.readText(join(ref.runDir, "identity"));
  if (recorded !== null) return (JSON.parse(recorded) as ProcessIdentity).pid;
  const first = Number(/"child-pid": (\d+)/.exec(told)?.[1]);
  return host.processes.firstChild(first) ?? Number.NaN;
}

async function probeUnstarted(host: Host, ref: HeldRef): Promise<RunProbe> {
  const lock = await host.fs.stat(join(ref.runDir, "lock"));
  if (await holderLives(host, ref)) return { kind: "starting" };
  if (lock === null) {
    const folder = await host.fs.stat(ref.runDir);
    return folder === null ? { kind: "gone", evidence: "it was never started" } : { kind: "starting" };
  }
  const isYoung = host.clock.now() - lock.mtimeMs < YOUNG_MS;
  if (isYoung || (await hasProcesses(host, ref))) return { kind: "starting" };
  return { kind: "gone", evidence: "its holder died before it started the program" };
}

async function hasProcesses(host: Host, ref: HeldRef): Promise<boolean> {
  const intent = await host.fs.readText(join(ref.runDir, "intent"));
  return intent !== null && (await host.processes.findByIntent(intent)).length > 0;
}

async function isOurs(host: Host, ref: HeldRef, pid: number): Promise<boolean> {
  const recorded = await host.fs.readText(join(ref.runDir, "identity"));
  if (recorded !== null) return host.processes.isAlive(JSON.parse(recorded));
  if (host.processes.identify(pid) === null) return false;
  const intent = await host.fs.readText(join(ref.runDir, "intent"));
  return intent !== null && (await host.processes.findByIntent(intent, [pid])).length > 0;
}

// Between the program's end and the exit file, the process that writes it is still alive.
async function holderLives(host: Host, ref: HeldRef): Promise<boolean> {
  const pid = Number.parseInt((await host.fs.readText(join(ref.runDir, "holder"))) ?? "", 10);
  if (Number.isNaN(pid) || host.processes.identify(pid) === null) return false;
  const intent = await host.fs.readText(join(ref.runDir, "intent"));
  // Another process may have reused the pid; our own carries the intent.
  return intent !== null && (await host.processes.findByIntent(intent, [pid])).length > 0;
}

async function readKnown(host: Host, ref: HeldRef): Promise<readonly number[]> {
  const files = ["pid", "holder", "pgid"].map((name) => host.fs.readText(join(ref.runDir, name)));
  return (await Promise.all(files)).map((text) => Number.parseInt(text ?? "", 10)).filter((pid) => !Number.isNaN(pid));
}

async function findMembers(host: Host, ref: HeldRef, intent: string): Promise<readonly { readonly pid: number }[]> {
  const pgid = Number.parseInt((await host.fs.readText(join(ref.runDir, "pgid"))) ?? "", 10);
  const group = Number.isNaN(pgid) ? [] : await host.processes.groupMembers(pgid);
  const marked = await host.processes.findByIntent(intent);
  // A reused group id is not ours: our own members carry the intent.
  return marked.length === 0
    ? []
    : [...marked, ...group.filter((one) => !marked.some((other) => other.pid === one.pid))];
}

/** Ends a run and every process that carries its mark: TERM, then KILL. Returns when none is left. */
export async function endRun(host: Host, ref: HeldRef, graceMs: number): Promise<void> {
  const intent = await host.fs.readText(join(ref.runDir, "intent"));
  if (intent === null) return;
  const seen = await probeRun(host, ref);
  // Ends the program first, so that the holder can record how it ended.
  if (seen.kind === "alive") {
    host.processes.signal(seen.pid, "SIGTERM");
    if (!(await until(host, graceMs, async () => (await probeRun(host, ref)).kind !== "alive"))) {
      host.processes.signal(seen.pid, "SIGKILL");
    }
  }
  const known = await readKnown(host, ref);
  // Looking up known pids is cheap; all processes are scanned only once those are gone.
  const isEmpty = async (): Promise<boolean> =>
    known.every((pid) => host.processes.identify(pid) === null) && (await findMembers(host, ref, intent)).length === 0;
  if (await until(host, seen.kind === "alive" ? 1000 : Math.min(graceMs, 300), isEmpty)) return;
  // If the holder is dead, they have not been signaled yet: a git killed without warning leaves its lock behind.
  for (const member of await findMembers(host, ref, intent)) host.processes.signal(member.pid, "SIGTERM");
  if (await until(host, Math.min(graceMs, 300), isEmpty)) return;
  for (let tries = 0; tries < 100; tries += 1) {
    const members = await findMembers(host, ref, intent);
    if (members.length === 0) return;
    for (const member of members) host.processes.signal(member.pid, "SIGKILL");
    await until(host, 100, isEmpty);
  }
  throw new AoError({
    code: "plugin-failed",
    message: `Processes of the run in ${ref.runDir} could not be ended.`,
    hint: "They may belong to another user; end them by hand.",
  });
}

function until(host: Host, timeoutMs: number, isTrue: () => Promise<boolean>): Promise<boolean> {
  return pollUntil(host.clock, { everyMs: 2, slowestMs: 50, timeoutMs }, isTrue);
}
