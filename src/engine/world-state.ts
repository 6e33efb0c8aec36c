import { type Archive, isArchived } from "../core/archive.ts";
import type { CheckAttempt, CheckPhase } from "../core/change/progress.ts";
import type { Emitted } from "../core/event.ts";
import { evolve, type StreamState } from "../core/evolve.ts";
import { type ObservedWindow, observeWindows, type RateWindow } from "../core/rate-window.ts";
import type { LiveReport } from "../core/session/live-report.ts";
import type { StreamId } from "../core/stream.ts";
import type { World } from "../core/world.ts";
import { createIndex, updateIndex, type WorldIndex } from "../core/world-index.ts";
import { viewWorld, type WorldSources } from "../core/world-view.ts";

/** An uncommitted change of the world; it reads as if it were committed. */
export interface Draft extends World {
  apply(emitted: Emitted, at: number): void;
  /** States that differ from the committed ones. */
  readonly changed: ReadonlyMap<StreamId, StreamState>;
}

/** By issue: the open ones that depend on it. */
export type Dependents = ReadonlyMap<string, readonly string[]>;

export interface WorldState {
  /** The committed world. */
  readonly view: World;
  /** Increases with each change, committed or observed. */
  revision(): number;
  draft(): Draft;
  /** The current phase of a running check; null: over. Not an event: a later daemon finds it out again. */
  noteCheckPhase(attempt: CheckAttempt, phase: CheckPhase | null): void;
  /** The last report of a session's agent; null: nothing beyond the log. Not an event, like the phases. */
  noteReport(sessionId: string, report: LiveReport | null): void;
  /** Calls back with the session after each report; returns a function that unsubscribes. */
  onReport(listener: (sessionId: string) => void): () => void;
  /** Which open issues of a project depend on which, according to its tracker. Not an event, like the phases. */
  noteDependents(projectId: string, byIssue: Dependents): void;
  /**
   * How much of a vendor's rate limit is used, according to an agent of this program. Not an event, like the phases.
   */
  noteWindows(program: string, windows: readonly RateWindow[], at: number): void;
  /** Makes a draft the current state, after its commit. */
  adopt(draft: Draft): void;
  all(): ReadonlyMap<StreamId, StreamState>;
}

/** The state of every live stream in memory, with unrecorded observations: the progress of checks, agents' reports. */
export function createWorldState(
  states: ReadonlyMap<StreamId, StreamState>,
  { archive, now = () => 0 }: { readonly archive: Archive; readonly now?: () => number },
): WorldState {
  const committed = new Map(states);
  const index = createIndex(committed);
  const base = { states: committed, index };
  let revision = 0;
  const { observed, notes } = createObservations(now, () => {
    revision += 1;
  });
  return {
    view: viewWorld({ base, archive, ...observed }),
    revision: () => revision,
    ...notes,
    draft: () => {
      const changed = new Map<StreamId, StreamState>();
      const over = { states: changed, index: new Map() satisfies WorldIndex };
      return {
        ...viewWorld({ base, over, archive, ...observed }),
        changed,
        apply: ({ stream, event }, at) => {
          const before = changed.get(stream) ?? committed.get(stream) ?? archive.state(stream);
          const after = evolve(stream, before, event, at);
          if (after === undefined || after === before) return;
          updateIndex(over.index, stream, { before: changed.get(stream), after });
          changed.set(stream, after);
        },
      };
    },
    adopt: (draft) => {
      revision += 1;
      for (const [stream, after] of draft.changed) {
        updateIndex(index, stream, { before: committed.get(stream), after });
        if (isArchived(stream, after)) committed.delete(stream);
        else committed.set(stream, after);
      }
    },
    all: () => committed,
  };
}

interface Observations {
  readonly observed: Pick<WorldSources, "checkProgress" | "liveReport" | "dependents" | "rateWindows">;
  readonly notes: Pick<WorldState, "noteCheckPhase" | "noteReport" | "onReport" | "noteDependents" | "noteWindows">;
}

function createObservations(now: () => number, onChange: () => void): Observations {
  const phases = new Map<string, CheckPhase>();
  const reports = new Map<string, LiveReport>();
  const reportListeners = new Set<(sessionId: string) => void>();
  const dependents = new Map<string, Dependents>();
  const windows = new Map<string, readonly ObservedWindow[]>();
  const observed: Observations["observed"] = {
    checkProgress: (change, check) => {
      const run = change?.checks[check];
      if (change === undefined || run?.state !== "running") return null;
      const phase =
        phases.get(attemptKey({ changeKey: change.key, check, head: run.head, attempt: run.attempt })) ?? null;
      return { phase, elapsedMs: Math.max(0, now() - run.at) };
    },
    liveReport: (sessionId) => reports.get(sessionId) ?? null,
    dependents: (projectId, issue) => dependents.get(projectId)?.get(issue) ?? [],
    rateWindows: (program) => windows.get(program) ?? [],
  };
  const notes: Observations["notes"] = {
    noteCheckPhase: (attempt, phase) => {
      onChange();
      if (phase === null) phases.delete(attemptKey(attempt));
      else phases.set(attemptKey(attempt), phase);
    },
    noteReport: (sessionId, report) => {
      onChange();
      if (report === null) reports.delete(sessionId);
      else reports.set(sessionId, report);
      for (const listener of reportListeners) listener(sessionId);
    },
    onReport: (listener) => {
      reportListeners.add(listener);
      return () => reportListeners.delete(listener);
    },
    noteDependents: (projectId, byIssue) => {
      onChange();
      dependents.set(projectId, byIssue);
    },
    noteWindows: (program, reported, at) => {
      windows.set(program, observeWindows(windows.get(program) ?? [], reported, at));
    },
  };
  return { observed, notes };
}

// A late end of an attempt does not affect its successor.
function attemptKey({ changeKey, check, head, attempt }: CheckAttempt): string {
  return `${changeKey}\n${check}\n${head}\n${attempt}`;
}
