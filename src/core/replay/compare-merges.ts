import { changeStream, splitStream } from "../stream.ts";
import { type DryRunRow, MAX_EXAMPLES, MERGE_ROWS, type MergeRowKind, type RowReason } from "./dry-run-row.ts";
import type { Outcome } from "./outcome.ts";
import type { LoggedEvent } from "./step.ts";
import type { MergeRecord } from "./watch-merges.ts";

/** One of two replays of the same log. */
export interface Run {
  readonly steps: readonly LoggedEvent[];
  readonly merges: ReadonlyMap<string, MergeRecord>;
}

export interface MergeComparison {
  /** Under the rules in force. */
  readonly before: Run;
  /** Under the other rules. */
  readonly after: Run;
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** Projects that get other rules about merges, and merge automatically under them. */
  readonly automaticProjects: ReadonlySet<string>;
}

/** The daemon is a bit later than a deadline; shorter differences are none. */
const NOTABLE_MS = 60_000;

/** What other rules change about merges. Each pull request counts once. */
export function compareMerges(comparison: MergeComparison): readonly DryRunRow[] {
  const { before, after } = comparison;
  const [old, wanted] = [firstRequests(before.steps), firstRequests(after.steps)];
  const found = new Map<string, DryRunRow>();
  for (const [key, one] of after.merges) {
    const was = before.merges.get(key);
    if (was === undefined) continue;
    const outcome = comparison.outcomes.get(key);
    const isAutomatic = comparison.automaticProjects.has(one.projectId);
    const pair = { was, now: one, old: old.get(key), wanted: wanted.get(key), outcome, isAutomatic };
    const verdict = judge(pair);
    if (verdict !== null) add(found, verdict, key);
  }
  return [...found.values()].sort((a, b) => orderOf(a) - orderOf(b) || b.count - a.count);
}

interface Request {
  readonly head: string;
  readonly at: number;
}

interface Pair {
  readonly was: MergeRecord;
  readonly now: MergeRecord;
  /** The first merge that the rules in force request, and the one of the other rules. */
  readonly old: Request | undefined;
  readonly wanted: Request | undefined;
  readonly outcome: Outcome | undefined;
  /** Its project merges automatically under the other rules, which are new. */
  readonly isAutomatic: boolean;
}

interface Verdict {
  readonly kind: MergeRowKind;
  readonly reason: RowReason;
  readonly savedMs: number;
}

function judge(pair: Pair): Verdict | null {
  const { was, now } = pair;
  const what = now.unrecorded ?? was.unrecorded;
  if (what !== null) return pair.isAutomatic ? verdict("unknown", { kind: "unrecorded", what }) : null;
  if (isNewlyRequested(pair)) {
    const fate = fateOf(pair.wanted, now, pair.outcome);
    if (fate !== null) return verdict("unfinished", fate);
    if (was.waited && !now.waited) return judgeAutomatic(pair);
  }
  if (!was.waited) return judgeNewWait(pair);
  return now.waited ? judgeWaits(pair) : null;
}

function isNewlyRequested(pair: Pair): pair is Pair & { readonly wanted: Request } {
  const { old, wanted } = pair;
  return wanted !== undefined && (old === undefined || wanted.at < old.at);
}

function judgeAutomatic({ was, now, outcome }: Pair): Verdict {
  return outcome?.isReverted === true ? verdict("bad") : verdict("automatic", null, was.waitMs - now.waitMs);
}

function judgeNewWait({ now, old, wanted, outcome }: Pair): Verdict | null {
  const isNoLongerRequested = old !== undefined && wanted === undefined;
  if (!now.waited && !isNoLongerRequested) return null;
  return verdict(outcome?.isReverted === true ? "bad-caught" : "waits", now.reason);
}

function judgeWaits({ was, now, isAutomatic }: Pair): Verdict | null {
  const savedMs = was.waitMs - now.waitMs;
  if (savedMs >= NOTABLE_MS) return verdict("sooner", now.reason, savedMs);
  if (savedMs <= -NOTABLE_MS) return verdict("later", now.reason);
  return isAutomatic ? verdict("still-waits", now.reason) : null;
}

// The merge of another commit than the one that people merged in the end, or of a pull request that they closed.
function fateOf({ head }: Request, { head: last }: MergeRecord, outcome: Outcome | undefined): RowReason {
  if (outcome?.merged == null && outcome?.isClosed === true) return { kind: "closed" };
  return head === (outcome?.merged ?? last) ? null : { kind: "changed" };
}

function firstRequests(steps: readonly LoggedEvent[]): ReadonlyMap<string, Request> {
  const first = new Map<string, Request>();
  for (const { stream, event, at } of steps) {
    const { id } = splitStream(stream);
    if (event.type === "merge.requested" && !first.has(id)) first.set(id, { head: event.head, at });
  }
  return first;
}

function verdict(kind: MergeRowKind, reason: RowReason = null, savedMs = 0): Verdict {
  return { kind, reason, savedMs };
}

// One row for each kind and reason; files differ, but not what people have to do.
function add(rows: Map<string, DryRunRow>, { kind, reason, savedMs }: Verdict, key: string): void {
  const name = `${kind} ${groupOf(reason)}`;
  const known = rows.get(name) ?? { kind, reason, count: 0, savedMs: 0, examples: [] };
  rows.set(name, {
    ...known,
    count: known.count + 1,
    savedMs: known.savedMs + savedMs,
    examples: [...known.examples, { stream: changeStream(key) }].slice(0, MAX_EXAMPLES),
  });
}

function groupOf(reason: RowReason): string {
  if (reason === null) return "";
  if (reason.kind === "path") return `path ${reason.pattern}`;
  if (reason.kind === "held") return reason.kind;
  if (reason.kind === "too-large") return `too-large ${reason.what}`;
  return JSON.stringify(reason);
}

function orderOf({ kind }: DryRunRow): number {
  return MERGE_ROWS.indexOf(kind as MergeRowKind);
}
