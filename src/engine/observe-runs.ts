import { join } from "node:path";
import { isRunOver, type SessionState } from "../core/session/state.ts";
import type { RunProbe } from "../ports/runtime.ts";
import type { Activity } from "./activity.ts";
import { type Allowance, createAllowance } from "./allowance.ts";
import { type BackgroundLane, createBackgroundLane } from "./background-lane.ts";
import { createOutputBound, OUTPUT_FILES, type ReadOutput } from "./bound-output.ts";
import { type Coalescer, createCoalescer } from "./coalesce.ts";
import { type EffectDeps, runRef } from "./executor.ts";
import type { Loop } from "./loop.ts";
import { repeat } from "./repeat.ts";
import { describeEnd } from "./run-end.ts";
import { createRunReader, type RunReader } from "./run-reader.ts";
import { createTurns } from "./take-turns.ts";

/** How often each run is probed without any sign of it: a killed holder reports nothing. */
const PROBE_MS = 3000;
/** How many are probed at once: a large fleet takes turns, so that the daemon can answer in between. */
const PROBES_AT_ONCE = 20;
/** Every this many probes its output is read too, in case a watch was lost. */
const PROBES_PER_INSPECTION = 20;
/** Reads of output with nothing to record: an agent that prints constantly is read once a second, in a large fleet less often. */
const READS = { burst: 10, intervalMs: 1000, perSecond: 100 };
/** The minimum wait between checks for pending records. */
const MIN_WAIT_MS = 50;
/** The time share for agents that print faster than they are read. */
const BACKLOG_SHARE = 0.25;

export interface RunObserver {
  /** Watches live runs, and reads everything that they printed and how they ended while no daemon was running. */
  start(sessions: Iterable<SessionState>): Promise<void>;
  /** The same for runs that came or went since; call after every commit. */
  follow(sessions: Iterable<SessionState>): void;
  /** Reads a run's output to its end and records how it ended. */
  recordRunEnd(sessionId: string, run: number): Promise<void>;
  close(): void;
}

export interface RunObserverParts {
  readonly loop: Loop;
  readonly deps: EffectDeps;
  readonly activity: Activity;
}

interface Context extends RunObserverParts {
  readonly watched: Map<string, Watched>;
  /** One at a time per run: two would read the same lines and report them twice. */
  readonly inspections: Coalescer<Watched>;
  readonly backlog: BackgroundLane;
  boundOutput(output: ReadOutput): Promise<void>;
}

interface Watched {
  readonly sessionId: string;
  readonly run: number;
  readonly reader: RunReader;
  readonly reads: Allowance;
  unwatch: () => void;
  cancelTimer: () => void;
  /** It printed during the read. */
  hasPrinted: boolean;
  /** Its output may be longer than when it was last bounded. */
  mayHaveGrown: boolean;
  mustReadAll: boolean;
  mustProbe: boolean;
  /** `ao` has just ended its process, so anything but alive means that it is over. */
  isEnding: boolean;
  /** Waits for its turn among agents that print faster than they are read. */
  isInBacklog: boolean;
  probes: number;
}

/** Collects what agents print and how their processes end. It only reports; decisions are made elsewhere. */
export function createRunObserver(parts: RunObserverParts): RunObserver {
  const { clock } = parts.deps.host;
  const context: Context = {
    ...parts,
    watched: new Map(),
    inspections: createCoalescer((entry) => inspectOnce(context, entry), parts.activity),
    backlog: createBackgroundLane(clock, BACKLOG_SHARE),
    boundOutput: createOutputBound(parts.deps.host.fs, () => parts.loop.trouble()?.code === "disk-full"),
  };
  const { watched, activity, inspections } = context;
  const { pauseMs, next } = createTurns(watched, { everyMs: PROBE_MS, atOnce: PROBES_AT_ONCE });
  const probe = async (): Promise<void> => {
    for (const entry of next()) probeInTurn(context, entry);
  };
  const stop = repeat({ clock, activity, pauseMs, work: probe });
  return {
    start: async (sessions) => {
      const entries = [...sessions].flatMap((session) => follow(context, session) ?? []);
      await Promise.all(
        entries.map((entry) => {
          entry.mustReadAll = true;
          return inspect(context, entry);
        }),
      );
    },
    follow: (sessions) => {
      for (const session of sessions) {
        const entry = follow(context, session);
        if (entry !== null) void inspect(context, entry);
      }
    },
    recordRunEnd: (sessionId, run) => recordRunEnd(context, sessionId, run),
    close: () => {
      inspections.close();
      stop();
      for (const entry of [...watched.values()]) forget(context, entry);
    },
  };
}

/** Returns the entry if it was not watched before. */
function follow(context: Context, session: SessionState): Watched | null {
  const known = context.watched.get(session.id);
  const isAlive = session.run.state === "alive" && session.phase !== "stopped";
  if (known !== undefined && (!isAlive || known.run !== session.run.n)) forget(context, known);
  if (!isAlive || context.watched.has(session.id)) return null;
  const entry = createEntry(context, session.id, session.run.n);
  context.watched.set(session.id, entry);
  const { host, runDir: folderOf } = context.deps;
  const runDir = folderOf(session.id, session.run.n);
  // The last daemon may have appended a message and died before it rang.
  void host.fs.ring(join(runDir, "bell")).catch((error: unknown) => warn(context, entry, error));
  entry.unwatch = host.fs.watch(runDir, (name) => {
    // Errors and terminals are read on demand; anything but output may be the end of the run.
    if (name === null || !OUTPUT_FILES.includes(name)) return void inspect(context, entry);
    entry.mayHaveGrown = true;
    if (name === "out") inspectPrinted(context, entry);
  });
  return entry;
}

function createEntry({ loop, deps, watched }: Context, sessionId: string, run: number): Watched {
  return {
    ...{ sessionId, run, reader: createRunReader(loop, deps, { sessionId, run }) },
    reads: createAllowance({
      burst: READS.burst,
      intervalMs: () => Math.max(READS.intervalMs, (1000 * watched.size) / READS.perSecond),
    }),
    unwatch: () => undefined,
    cancelTimer: () => undefined,
    ...{
      hasPrinted: false,
      mayHaveGrown: true,
      mustReadAll: false,
      mustProbe: false,
      isEnding: false,
      isInBacklog: false,
      probes: 0,
    },
  };
}

function forget({ watched, loop }: Context, entry: Watched): void {
  entry.unwatch();
  entry.cancelTimer();
  if (watched.get(entry.sessionId) !== entry) return;
  watched.delete(entry.sessionId);
  loop.world.noteReport(entry.sessionId, null);
}

// Output alone may wait for the next read.
function inspectPrinted(context: Context, entry: Watched): void {
  const { inspections, deps } = context;
  if (inspections.isRunning(entry)) entry.hasPrinted = true;
  else if (!entry.isInBacklog) readAfter(context, entry, entry.reads.waitMs(deps.host.clock.now()));
}

function readAfter(context: Context, entry: Watched, waitMs: number): void {
  entry.cancelTimer();
  if (waitMs === 0) void request(context, entry);
  else entry.cancelTimer = context.deps.host.clock.after(waitMs, () => void request(context, entry));
}

function inspect(context: Context, entry: Watched): Promise<void> {
  entry.mustProbe = true;
  return request(context, entry);
}

function request(context: Context, entry: Watched): Promise<void> {
  return context.inspections.request(entry).catch((error: unknown) => warn(context, entry, error));
}

function warn({ deps }: Context, entry: Watched, error: unknown): void {
  deps.host.log.warn("a run could not be observed", { session: entry.sessionId, reason: String(error) });
}

async function inspectOnce(context: Context, entry: Watched): Promise<void> {
  const { deps, watched } = context;
  entry.cancelTimer();
  entry.hasPrinted = false;
  const session = deps.session(entry.sessionId);
  if (session === undefined || session.run.n !== entry.run || isRunOver(session.run)) return;
  try {
    await readAndProbe(context, entry, session);
  } finally {
    if (watched.get(entry.sessionId) === entry) planNextReading(context, entry);
  }
}

function planNextReading(context: Context, entry: Watched): void {
  if (entry.isInBacklog) return;
  const now = context.deps.host.clock.now();
  const dueAt = entry.reader.dueAt();
  if (entry.hasPrinted) readAfter(context, entry, entry.reads.waitMs(now));
  else if (dueAt !== null) readAfter(context, entry, Math.max(MIN_WAIT_MS, dueAt - now));
}

async function readAndProbe(context: Context, entry: Watched, session: SessionState): Promise<void> {
  const { deps } = context;
  const { mustProbe, mustReadAll, isEnding } = entry;
  entry.mustProbe = false;
  entry.mustReadAll = false;
  entry.reads.take(deps.host.clock.now());
  const { isAtEnd, hasFacts } = await entry.reader.read(mustReadAll || isEnding ? "all" : "some");
  if (hasFacts) entry.reads.giveBack();
  if (!isAtEnd) catchUp(context, entry);
  if (!mustProbe) return;
  const probe = await deps.runtimeOf(session).probe(runRef(deps, session.id, entry.run));
  const isOver = probe.kind === "exited" || probe.kind === "gone" || (isEnding && probe.kind !== "alive");
  if (isOver) await recordEnd(context, entry, probe);
}

// Agents that print faster than they are read take turns, so that they slow down nobody else.
function catchUp(context: Context, entry: Watched): void {
  if (entry.isInBacklog) return;
  const { backlog, watched, activity } = context;
  const end = activity.begin();
  entry.isInBacklog = true;
  const read = backlog(async () => {
    entry.isInBacklog = false;
    if (watched.get(entry.sessionId) === entry) await request(context, entry);
  });
  void read.finally(end);
}

async function recordEnd(context: Context, entry: Watched, probe: RunProbe): Promise<void> {
  const { loop, deps } = context;
  const { sessionId, run, reader } = entry;
  const session = deps.session(sessionId);
  if (session === undefined) return;
  const ref = runRef(deps, sessionId, run);
  // The process is over, so its output is complete; only then may its end be recorded.
  await reader.read("all");
  await reader.flush();
  // Processes it left in its group must not keep working next to its successor.
  await deps.runtimeOf(session).end(ref, 0);
  const code = probe.kind === "exited" ? probe.code : null;
  const evidence = await describeEnd(deps.host.fs, ref.runDir, probe);
  await loop.submit({ input: { type: "run.exited", sessionId, run, code, evidence } });
  forget(context, entry);
}

async function recordRunEnd(context: Context, sessionId: string, run: number): Promise<void> {
  const session = context.deps.session(sessionId);
  if (session === undefined || session.run.n !== run || isRunOver(session.run)) return;
  const entry = context.watched.get(sessionId) ?? createEntry(context, sessionId, run);
  entry.isEnding = true;
  entry.mustProbe = true;
  await context.inspections.request(entry).finally(() => {
    entry.isEnding = false;
  });
}

// A slow runtime must not delay the others' next probe, so nothing is awaited.
function probeInTurn(context: Context, entry: Watched): void {
  entry.probes += 1;
  const isInspection = entry.probes % PROBES_PER_INSPECTION === 0;
  const end = context.activity.begin();
  const look = isInspection ? inspect(context, entry) : probeOnly(context, entry);
  // In case a watch was lost, every inspection bounds the output too.
  const mayBound = (): Promise<void> | undefined =>
    isInspection || entry.mayHaveGrown ? boundOutput(context, entry) : undefined;
  void look.then(mayBound).finally(end);
}

async function boundOutput(context: Context, entry: Watched): Promise<void> {
  entry.mayHaveGrown = false;
  const runDir = context.deps.runDir(entry.sessionId, entry.run);
  await context
    .boundOutput({ runDir, readTo: entry.reader.recordedTo() })
    .catch((error: unknown) => warn(context, entry, error));
}

async function probeOnly(context: Context, entry: Watched): Promise<void> {
  const { deps, inspections } = context;
  const session = deps.session(entry.sessionId);
  if (session === undefined || inspections.isRunning(entry)) return;
  try {
    const probe = await deps.runtimeOf(session).probe(runRef(deps, session.id, entry.run));
    if (probe.kind === "exited" || probe.kind === "gone") await inspect(context, entry);
  } catch (error) {
    warn(context, entry, error);
  }
}
