import type { StreamState } from "../evolve.ts";
import type { ProjectPolicy } from "../policy.ts";
import type { StreamId } from "../stream.ts";
import { compareMerges, type Run } from "./compare-merges.ts";
import { compareSteps } from "./compare-steps.ts";
import type { DryRunRow } from "./dry-run-row.ts";
import { noteOutcome, type Outcome } from "./outcome.ts";
import { createReplay, type Replay } from "./replay.ts";
import { automatesMerging } from "./rule-changes.ts";
import type { LoggedEvent } from "./step.ts";
import { createMergeWatch, type MergeWatch } from "./watch-merges.ts";

export interface DryRunOptions {
  readonly from: number;
  /** The states at that time. */
  readonly states: ReadonlyMap<StreamId, StreamState>;
  /** The rules to compare, by project: those in force, and the others. */
  readonly rules: ReadonlyMap<string, { readonly before: ProjectPolicy; readonly after: ProjectPolicy }>;
}

/** Two replays of the same events, under the rules in force and under others. */
export interface DryRun {
  next(logged: LoggedEvent): void;
  /** The differences. */
  finish(now: number): readonly DryRunRow[];
}

/** Creates a dry run that has read nothing yet. */
export function createDryRun(options: DryRunOptions): DryRun {
  const [before, after] = [startRun(options, "before"), startRun(options, "after")];
  const outcomes = new Map<string, Outcome>();
  return {
    next: (logged) => {
      noteOutcome(outcomes, logged);
      before.replay.next(logged);
      after.replay.next(logged);
    },
    finish: (now) => {
      const runs = { before: endRun(before, now), after: endRun(after, now) };
      const merges = compareMerges({ ...runs, outcomes, automaticProjects: automaticOnes(options) });
      return sortRows([...merges, ...compareSteps(runs.before.steps, runs.after.steps)]);
    },
  };
}

interface Running {
  readonly replay: Replay;
  readonly watch: MergeWatch;
}

function startRun({ from, states, rules }: DryRunOptions, side: "before" | "after"): Running {
  const watch = createMergeWatch(new Set(rules.keys()));
  const policies = new Map([...rules].map(([id, both]) => [id, both[side]]));
  return { replay: createReplay({ scope: null, from, states, policies, onSettled: watch.note }), watch };
}

function endRun({ replay, watch }: Running, now: number): Run {
  replay.finish(now);
  return { steps: replay.decided, merges: watch.end(now) };
}

function automaticOnes({ rules }: DryRunOptions): ReadonlySet<string> {
  return new Set([...rules].flatMap(([id, { before, after }]) => (automatesMerging(before, after) ? [id] : [])));
}

/** After what changes about messages and notifications comes what stays, what is unknown, and what would go wrong. */
const LAST: readonly DryRunRow["kind"][] = ["still-waits", "unknown", "unfinished", "bad-caught", "bad"];

function sortRows(rows: readonly DryRunRow[]): readonly DryRunRow[] {
  const isLast = ({ kind }: DryRunRow): boolean => LAST.includes(kind);
  return [...rows.filter((row) => !isLast(row)), ...rows.filter(isLast)];
}
