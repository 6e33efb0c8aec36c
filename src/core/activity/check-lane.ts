import type { AnyEvent } from "../event.ts";
import { enter, type Segment } from "./segment.ts";

/** The combined state of the checks on a pull request's newest commit. */
export const CHECK_KINDS = ["running", "failing", "passing"] as const;

export type CheckKind = (typeof CHECK_KINDS)[number];

export interface CheckLane {
  readonly segments: readonly Segment<CheckKind>[];
  /** By check: the state of its last run on the newest commit. */
  readonly runs: Readonly<Record<string, CheckKind>>;
  readonly now: CheckKind | null;
}

export const NO_CHECKS: CheckLane = { segments: [], runs: {}, now: null };

/** Applies one event of a pull request. */
export function evolveChecks(lane: CheckLane, event: AnyEvent, at: number): CheckLane {
  switch (event.type) {
    case "change.opened":
    case "change.updated":
    case "change.closed":
    case "change.merged":
      return lane.now === null ? lane : { runs: {}, now: null, segments: enter(lane.segments, null, at) };
    case "check.started":
      return withRun(lane, event.name, { kind: "running", at });
    case "check.finished":
      return withRun(lane, event.name, { kind: event.state === "passed" ? "passing" : "failing", at });
    default:
      return lane;
  }
}

function withRun(lane: CheckLane, name: string, run: { readonly kind: CheckKind; readonly at: number }): CheckLane {
  const runs = { ...lane.runs, [name]: run.kind };
  const all = Object.values(runs);
  const now = all.includes("failing") ? "failing" : all.includes("running") ? "running" : "passing";
  return { runs, now, segments: enter(lane.segments, now, run.at) };
}
