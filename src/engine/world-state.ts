import type { CheckAttempt, CheckPhase, CheckProgress } from "../core/change/progress.ts";
import type { ChangeState } from "../core/change/state.ts";
import type { Emitted } from "../core/event.ts";
import { evolve, type StreamState } from "../core/evolve.ts";
import { type FleetState, initialFleet } from "../core/fleet/state.ts";
import type { ProjectState } from "../core/project/state.ts";
import type { SessionState } from "../core/session/state.ts";
import { changeStream, projectStream, type StreamId, sessionStream, taskStream } from "../core/stream.ts";
import type { TaskState } from "../core/task/state.ts";
import type { World } from "../core/world.ts";

/** A change of the world that is not committed yet; it reads as if it were. */
export interface Draft extends World {
  apply(emitted: Emitted, at: number): void;
  /** States that differ from the committed ones. */
  readonly changed: ReadonlyMap<StreamId, StreamState>;
}

export interface WorldState {
  /** The committed world. */
  readonly view: World;
  draft(): Draft;
  /** What a running check does now; null: it is over. Not an event: a later daemon finds it out again. */
  noteCheckPhase(attempt: CheckAttempt, phase: CheckPhase | null): void;
  /** Makes a draft the truth, after its commit. */
  adopt(draft: Draft): void;
  all(): ReadonlyMap<StreamId, StreamState>;
}

/** Every stream's state in memory, and how far running checks are. */
export function createWorldState(states: ReadonlyMap<StreamId, StreamState>, now: () => number = () => 0): WorldState {
  const committed = new Map(states);
  const none: ReadonlyMap<StreamId, StreamState> = new Map();
  const phases = new Map<string, CheckPhase>();
  const progress = (change: ChangeState | undefined, check: string): CheckProgress | null => {
    const run = change?.checks[check];
    if (change === undefined || run?.state !== "running") return null;
    const phase = phases.get(attemptKey({ ...run, changeKey: change.key, check })) ?? null;
    return { phase, elapsedMs: Math.max(0, now() - run.at) };
  };
  return {
    view: viewOf(committed, none, progress),
    noteCheckPhase: (attempt, phase) => {
      if (phase === null) phases.delete(attemptKey(attempt));
      else phases.set(attemptKey(attempt), phase);
    },
    draft: () => {
      const changed = new Map<StreamId, StreamState>();
      return {
        ...viewOf(committed, changed, progress),
        changed,
        apply: ({ stream, event }, at) => {
          const before = changed.get(stream) ?? committed.get(stream);
          const after = evolve(stream, before, event, at);
          if (after !== undefined && after !== before) changed.set(stream, after);
        },
      };
    },
    adopt: (draft) => {
      for (const [stream, state] of draft.changed) committed.set(stream, state);
    },
    all: () => committed,
  };
}

// An attempt that ends late says nothing about the one that took its place.
function attemptKey({ changeKey, check, head, attempt }: CheckAttempt): string {
  return [changeKey, check, head, attempt].join("\n");
}

function viewOf(
  base: ReadonlyMap<StreamId, StreamState>,
  over: ReadonlyMap<StreamId, StreamState>,
  progress: (change: ChangeState | undefined, check: string) => CheckProgress | null,
): World {
  const get = <T>(stream: StreamId): T | undefined => (over.get(stream) ?? base.get(stream)) as T | undefined;
  function* list<T>(prefix: string): Iterable<T> {
    for (const [stream, state] of base) if (stream.startsWith(prefix)) yield (over.get(stream) ?? state) as T;
    for (const [stream, state] of over) if (stream.startsWith(prefix) && !base.has(stream)) yield state as T;
  }
  return {
    session: (id) => get<SessionState>(sessionStream(id)),
    sessions: () => list<SessionState>("session:"),
    change: (key) => get<ChangeState>(changeStream(key)),
    changes: () => list<ChangeState>("change:"),
    task: (key) => get<TaskState>(taskStream(key)),
    project: (id) => get<ProjectState>(projectStream(id)),
    projects: () => list<ProjectState>("project:"),
    fleet: () => get<FleetState>("fleet") ?? initialFleet(),
    checkProgress: (key, check) => progress(get<ChangeState>(changeStream(key)), check),
  };
}
