import { join } from "node:path";
import type { SessionState } from "../core/session/state.ts";
import { lastShown, withoutEscapes } from "../core/terminal-text.ts";
import type { RunProbe } from "../ports/runtime.ts";
import type { Activity } from "./activity.ts";
import { createCoalescer } from "./coalesce.ts";
import { type EffectDeps, runRef } from "./executor.ts";
import { readLastWords } from "./last-words.ts";
import { readLines } from "./line-reader.ts";
import type { Loop } from "./loop.ts";
import { repeat } from "./repeat.ts";
import { storeSignal } from "./store-signal.ts";

/** How often a run is asked for its life although nothing was heard of it: a killed holder tells nobody. */
const PROBE_MS = 3000;
/** Every so many probes its output is read too, in case a watch was lost. */
const PROBES_PER_INSPECTION = 5;
/** Read positions are committed with events, and at the latest after so much plain output. */
const POSITION_STEP = 1024 * 1024;

/** Plain output is recorded as a sign of life so often at most. */
const STIR_MS = 60_000;

export interface RunObserver {
  /** Watches the runs that are alive; call after every commit. */
  follow(sessions: Iterable<SessionState>): void;
  /** Reads a run's output to its end and records how it ended. */
  settleRun(sessionId: string, run: number): Promise<void>;
  /** Inspects every watched run now. */
  inspectAll(): Promise<void>;
  close(): void;
}

interface Watched {
  readonly sessionId: string;
  readonly run: number;
  readonly unwatch: () => void;
  position: number;
  committed: number;
  /** When it was last recorded that it prints. */
  stirredAt: number;
  /** `ao` has just ended its process, so anything but alive means that it is over. */
  isEnding: boolean;
}

export interface RunObserverParts {
  readonly loop: Loop;
  readonly deps: EffectDeps;
  readonly activity: Activity;
  /** How far each source has been read. */
  readonly positions: ReadonlyMap<string, number>;
}

/** Gathers what agents print and how their processes end. It only reports; what it means is decided elsewhere. */
export function createRunObserver({ loop, deps, activity, positions }: RunObserverParts): RunObserver {
  const watched = new Map<string, Watched>();

  const follow = (sessions: Iterable<SessionState>): void => {
    for (const session of sessions) {
      const known = watched.get(session.id);
      const alive = session.run.state === "alive" && session.phase !== "stopped";
      if (known !== undefined && (!alive || known.run !== session.run.n)) forget(known);
      if (alive && !watched.has(session.id)) watch(session.id, session.run.n);
    }
  };

  const watch = (sessionId: string, run: number): void => {
    const position = positions.get(sourceOf(sessionId, run)) ?? 0;
    const entry: Watched = {
      sessionId,
      run,
      unwatch: deps.host.fs.watch(deps.runDir(sessionId, run), () => void inspect(entry)),
      position,
      committed: position,
      stirredAt: deps.host.clock.now(),
      isEnding: false,
    };
    watched.set(sessionId, entry);
    void inspect(entry);
  };

  const forget = (entry: Watched): void => {
    entry.unwatch();
    if (watched.get(entry.sessionId) === entry) watched.delete(entry.sessionId);
  };

  const warn = (entry: Watched, error: unknown): void =>
    deps.host.log.warn("a run could not be observed", { session: entry.sessionId, reason: String(error) });

  const inspect = (entry: Watched): Promise<void> =>
    inspections.request(entry).catch((error: unknown) => warn(entry, error));

  const probeOnly = async (entry: Watched): Promise<void> => {
    const session = deps.session(entry.sessionId);
    if (session === undefined || inspections.isRunning(entry)) return;
    const probe = await deps.runtimeOf(session).probe(runRef(deps, session.id, entry.run));
    if (probe.kind === "exited" || probe.kind === "gone") await inspect(entry);
  };

  const inspectOnce = async (entry: Watched): Promise<void> => {
    const session = deps.session(entry.sessionId);
    if (session === undefined || session.run.n !== entry.run || session.run.state === "ended") return;
    await readOutput(entry, session);
    const probe = await deps.runtimeOf(session).probe(runRef(deps, session.id, entry.run));
    const isOver = probe.kind === "exited" || probe.kind === "gone" || (entry.isEnding && probe.kind !== "alive");
    if (isOver) await recordEnd(entry, session, probe);
  };
  // One at a time for each run: two would read the same lines and report them twice.
  const inspections = createCoalescer(inspectOnce, activity);

  const readOutput = async (entry: Watched, session: SessionState): Promise<void> => {
    const agent = deps.agentOf(session);
    const isTerminal = session.input === "terminal";
    const out = join(deps.runDir(entry.sessionId, entry.run), "out");
    for (;;) {
      const batch = await readLines(deps.host.fs, out, entry.position);
      const lines = isTerminal ? batch.lines.map((line) => lastShown(withoutEscapes(line))) : batch.lines;
      const heard = lines.map((line) => agent.decode(line)).filter((signal) => signal !== null);
      const signals = await Promise.all(heard.map((signal) => storeSignal(signal, deps.keepText)));
      const step = batch.position - entry.committed > POSITION_STEP;
      if (signals.length > 0 || step) {
        await loop.submit({
          input: { type: "run.signals", sessionId: entry.sessionId, run: entry.run, signals },
          positions: [{ source: sourceOf(entry.sessionId, entry.run), position: batch.position }],
        });
        entry.committed = batch.position;
      }
      // A terminal shows what anybody types too, which is no sign of the agent's life.
      if (signals.length === 0 && batch.lines.length > 0 && !isTerminal) await stir(entry);
      entry.position = batch.position;
      if (batch.atEnd) return;
    }
  };

  // An agent that prints is not stuck, even if it says nothing to `ao`.
  const stir = async (entry: Watched): Promise<void> => {
    const now = deps.host.clock.now();
    if (now - entry.stirredAt < STIR_MS) return;
    entry.stirredAt = now;
    await loop.submit({ input: { type: "run.output-seen", sessionId: entry.sessionId, run: entry.run } });
  };

  const recordEnd = async (entry: Watched, session: SessionState, probe: RunProbe): Promise<void> => {
    // The process is over, so what it printed is all there; only then may its end be recorded.
    await readOutput(entry, session);
    // What it left behind in its group must not work on beside its successor.
    await deps.runtimeOf(session).end(runRef(deps, session.id, entry.run), 0);
    const code = probe.kind === "exited" ? probe.code : null;
    const evidence = await describeEnd(session.id, entry.run, probe);
    await loop.submit({ input: { type: "run.exited", sessionId: session.id, run: entry.run, code, evidence } });
    forget(entry);
  };

  const describeEnd = async (sessionId: string, run: number, probe: RunProbe): Promise<string> => {
    if (probe.kind !== "exited") return "evidence" in probe ? probe.evidence : "gone";
    const how = describeExit(probe.code);
    if (probe.code === 0 || probe.code > 128) return how;
    const words = await readLastWords(deps.host.fs, join(runRef(deps, sessionId, run).runDir, "err"));
    return words === null ? how : `${how}: ${words}`;
  };

  const settleRun = async (sessionId: string, run: number): Promise<void> => {
    const session = deps.session(sessionId);
    if (session === undefined || session.run.n !== run || session.run.state === "ended") return;
    const entry = watched.get(sessionId) ?? watchQuietly(sessionId, run);
    entry.isEnding = true;
    await inspections.request(entry).finally(() => {
      entry.isEnding = false;
    });
  };

  const watchQuietly = (sessionId: string, run: number): Watched => {
    const position = positions.get(sourceOf(sessionId, run)) ?? 0;
    return {
      sessionId,
      run,
      unwatch: () => undefined,
      position,
      committed: position,
      stirredAt: 0,
      isEnding: false,
    };
  };

  let probes = 0;
  // A runtime that takes its time must not delay the others' next probe.
  const probeAll = async (): Promise<void> => {
    probes += 1;
    const isInspection = probes % PROBES_PER_INSPECTION === 0;
    for (const entry of watched.values()) {
      const end = activity.begin();
      const work = isInspection ? inspect(entry) : probeOnly(entry);
      void work.catch((error: unknown) => warn(entry, error)).finally(end);
    }
  };
  const stop = repeat({ clock: deps.host.clock, activity, pauseMs: PROBE_MS, work: probeAll });

  return {
    follow,
    settleRun,
    inspectAll: async () => {
      await Promise.all([...watched.values()].map((entry) => inspect(entry)));
    },
    close: () => {
      inspections.close();
      stop();
      for (const entry of [...watched.values()]) forget(entry);
    },
  };
}

function sourceOf(sessionId: string, run: number): string {
  return `run:${sessionId}/${run}/out`;
}

/** How a process ended, in words: shells report a signal as 128 plus its number. */
export function describeExit(code: number): string {
  const signal = SIGNALS[code - 128];
  return signal === undefined ? `exit code ${code}` : `ended by ${signal}`;
}

const SIGNALS: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  6: "SIGABRT",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  15: "SIGTERM",
};
