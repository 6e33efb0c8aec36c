import { join } from "node:path";
import { z } from "zod";
import { AoError } from "../../../core/errors.ts";
import type { Host, ProcessIdentity } from "../../../ports/host.ts";
import { definePlugin } from "../../../ports/plugin.ts";
import type { RunProbe, RunRef, RunSpec, Runtime, StartAnswer } from "../../../ports/runtime.ts";

const START_LIMIT_MS = 15_000;

/** Agents as plain processes with pipes, each under the holder, so that they outlive the daemon. */
export const processRuntime = definePlugin({
  slot: "runtime",
  name: "process",
  summary: "Plain processes with pipes; they go on while the daemon is down.",
  config: z.object({}).strict(),
  requires: [{ program: "sh", versionArgs: ["-c", "echo sh"], fix: "Install a POSIX shell as sh." }],
  capabilities: ["pipes"],
  create: (_config, host): Runtime => ({
    modes: ["pipes"],
    start: (spec) => start(host, spec),
    probe: rememberAlive(host, (ref) => probe(host, ref)),
    end: (ref, graceMs) => end(host, ref, graceMs),
  }),
});

// Most looks find what the last one found; as long as exactly that process lives there is no need to read a file.
function rememberAlive(host: Host, look: Runtime["probe"]): Runtime["probe"] {
  const known = new Map<string, ProcessIdentity>();
  return async (ref) => {
    const last = known.get(ref.runDir);
    if (last !== undefined && host.processes.isAlive(last)) return { kind: "alive", pid: last.pid };
    known.delete(ref.runDir);
    const seen = await look(ref);
    const identity = seen.kind === "alive" ? host.processes.identify(seen.pid) : null;
    if (identity !== null) known.set(ref.runDir, identity);
    return seen;
  };
}

async function start(host: Host, spec: RunSpec): Promise<StartAnswer> {
  if (spec.input === "terminal") {
    throw new AoError({
      code: "unsupported",
      message: "The runtime process has no terminal.",
      hint: "Use `runtime: tmux`, or `agentConfig.interface: structured`.",
    });
  }
  await host.fs.makeDir(spec.runDir, { mode: 0o700 });
  const locked = (await host.fs.stat(join(spec.runDir, "lock"))) !== null;
  if (!locked) {
    const inbox = join(spec.runDir, "in");
    if ((await host.fs.stat(inbox)) === null) await host.fs.writeText(inbox, spec.initialInput, { mode: 0o600 });
    await host.fs.writeText(join(spec.runDir, "intent"), spec.intentId, { mode: 0o600 });
    await host.processes.launch({
      program: "/bin/sh",
      args: [host.assets.holder, spec.runDir, spec.input, ...spec.argv],
      cwd: spec.cwd,
      env: { ...spec.env, AO_INTENT: spec.intentId },
    });
  }
  return awaitStart(host, spec);
}

async function awaitStart(host: Host, ref: RunRef): Promise<StartAnswer> {
  const deadline = host.clock.now() + START_LIMIT_MS;
  for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
    const seen = await probe(host, ref);
    if (seen.kind === "exited") return { kind: "exited", code: seen.code };
    if (seen.kind === "alive") {
      await recordIdentity(host, ref, seen.pid);
      return { kind: "started", pid: seen.pid };
    }
    if (seen.kind === "gone" || host.clock.now() > deadline) {
      throw new AoError({
        code: "plugin-failed",
        message: `The agent's process could not be started: ${"evidence" in seen ? seen.evidence : "it never reported its pid"}.`,
        hint: `Look at ${join(ref.runDir, "err")}.`,
      });
    }
    await new Promise<void>((resolve) => host.clock.after(pause, resolve));
  }
}

// Pid and start time together cannot be forged by a reused pid, after a reboot for example.
async function recordIdentity(host: Host, ref: RunRef, pid: number): Promise<void> {
  const identity = host.processes.identify(pid);
  if (identity !== null)
    await host.fs.writeText(join(ref.runDir, "identity"), JSON.stringify(identity), { mode: 0o600 });
}

async function probe(host: Host, ref: RunRef): Promise<RunProbe> {
  const exit = await host.fs.readText(join(ref.runDir, "exit"));
  if (exit !== null) return { kind: "exited", code: Number.parseInt(exit, 10) };
  const pid = Number.parseInt((await host.fs.readText(join(ref.runDir, "pid"))) ?? "", 10);
  if (Number.isNaN(pid)) return probeUnstarted(host, ref);
  if (await isOurs(host, ref, pid)) return { kind: "alive", pid };
  if (await holderLives(host, ref)) return { kind: "starting" };
  // The holder writes the exit file before it ends, so this is asked last, when nobody is left who could still write it.
  const late = await host.fs.readText(join(ref.runDir, "exit"));
  if (late !== null) return { kind: "exited", code: Number.parseInt(late, 10) };
  return { kind: "gone", evidence: "its process is gone and nobody saw how it ended" };
}

async function probeUnstarted(host: Host, ref: RunRef): Promise<RunProbe> {
  const lock = await host.fs.stat(join(ref.runDir, "lock"));
  if (await holderLives(host, ref)) return { kind: "starting" };
  if (lock === null) {
    const folder = await host.fs.stat(ref.runDir);
    return folder === null ? { kind: "gone", evidence: "it was never started" } : { kind: "starting" };
  }
  const young = host.clock.now() - lock.mtimeMs < START_LIMIT_MS / 3;
  return young ? { kind: "starting" } : { kind: "gone", evidence: "its holder died before it started the program" };
}

async function isOurs(host: Host, ref: RunRef, pid: number): Promise<boolean> {
  const recorded = await host.fs.readText(join(ref.runDir, "identity"));
  if (recorded !== null) return host.processes.isAlive(JSON.parse(recorded));
  if (host.processes.identify(pid) === null) return false;
  const intent = await host.fs.readText(join(ref.runDir, "intent"));
  return intent !== null && (await host.processes.findByIntent(intent, [pid])).length > 0;
}

// Between the program's end and the exit file the one who writes it is still alive.
async function holderLives(host: Host, ref: RunRef): Promise<boolean> {
  const pid = Number.parseInt((await host.fs.readText(join(ref.runDir, "holder"))) ?? "", 10);
  if (Number.isNaN(pid) || host.processes.identify(pid) === null) return false;
  const intent = await host.fs.readText(join(ref.runDir, "intent"));
  // A stranger may have got the number; our own carries the intent.
  return intent !== null && (await host.processes.findByIntent(intent, [pid])).length > 0;
}

async function readKnown(host: Host, ref: RunRef): Promise<readonly number[]> {
  const files = ["pid", "holder", "pgid"].map((name) => host.fs.readText(join(ref.runDir, name)));
  return (await Promise.all(files)).map((text) => Number.parseInt(text ?? "", 10)).filter((pid) => !Number.isNaN(pid));
}

async function findMembers(host: Host, ref: RunRef, intent: string): Promise<readonly { readonly pid: number }[]> {
  const pgid = Number.parseInt((await host.fs.readText(join(ref.runDir, "pgid"))) ?? "", 10);
  const group = Number.isNaN(pgid) ? [] : await host.processes.groupMembers(pgid);
  const marked = await host.processes.findByIntent(intent);
  // A reused group id cannot be ours: our own members carry the intent.
  return marked.length === 0
    ? []
    : [...marked, ...group.filter((one) => !marked.some((other) => other.pid === one.pid))];
}

async function end(host: Host, ref: RunRef, graceMs: number): Promise<void> {
  const intent = await host.fs.readText(join(ref.runDir, "intent"));
  if (intent === null) return;
  const seen = await probe(host, ref);
  // First the program alone, so that the holder can record how it ended.
  if (seen.kind === "alive") {
    host.processes.signal(seen.pid, "SIGTERM");
    if (!(await until(host, graceMs, async () => (await probe(host, ref)).kind !== "alive"))) {
      host.processes.signal(seen.pid, "SIGKILL");
    }
  }
  const known = await readKnown(host, ref);
  // Those that are known by number are cheap to ask for; only when they are gone everybody is looked at.
  const isEmpty = async (): Promise<boolean> =>
    known.every((pid) => host.processes.identify(pid) === null) && (await findMembers(host, ref, intent)).length === 0;
  if (await until(host, seen.kind === "alive" ? 1000 : Math.min(graceMs, 300), isEmpty)) return;
  for (let tries = 0; tries < 100; tries += 1) {
    const members = await findMembers(host, ref, intent);
    if (members.length === 0) return;
    for (const member of members) host.processes.signal(member.pid, "SIGKILL");
    await until(host, 100, isEmpty);
  }
  throw new AoError({
    code: "plugin-failed",
    message: `Processes of session ${ref.sessionId} could not be ended.`,
    hint: "They may belong to another user; end them by hand.",
  });
}

async function until(host: Host, limitMs: number, isTrue: () => Promise<boolean>): Promise<boolean> {
  const deadline = host.clock.now() + limitMs;
  for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
    if (await isTrue()) return true;
    if (host.clock.now() >= deadline) return false;
    await new Promise<void>((resolve) => host.clock.after(pause, resolve));
  }
}
