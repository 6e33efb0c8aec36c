import type { AgentSignal, FactSignal } from "../core/agent-signal.ts";
import type { UsedReport } from "../core/cost/usage.ts";
import type { RateWindow } from "../core/rate-window.ts";
import type { ActivityFacts } from "../core/session/state.ts";

/** What an agent reports it is doing. The next report replaces it. */
export type StatusReport = Extract<AgentSignal, { readonly kind: "status" }>;

type UsageReport = Extract<AgentSignal, { readonly kind: "usage" }>;
type StateReport = Extract<AgentSignal, { readonly kind: "status" | "limited" }>;

/** The log keeps the start of a long note, so only the start is compared. */
const COMPARED = 1000;

/** Reports of one agent that are not in the log yet. */
export interface Collected {
  /** What becomes events, in printed order. */
  readonly facts: readonly FactSignal[];
  /** The last fact is a state change over the allowance: it waits, and a newer one replaces it. */
  readonly isDeferred: boolean;
  /** Summed usage, one sum per model and kind of report. */
  readonly usage: readonly UsageReport[];
  /** The newest status report, null once a fact says more; undefined: none. */
  readonly newest: StatusReport | null | undefined;
  /** The newest report of rate-limit windows; null: none. */
  readonly windows: readonly RateWindow[] | null;
}

export const NOTHING_COLLECTED: Collected = {
  facts: [],
  isDeferred: false,
  usage: [],
  newest: undefined,
  windows: null,
};

/** Facts that do not say what the agent is doing. */
const SILENT: ReadonlySet<AgentSignal["kind"]> = new Set(["received", "held", "conversation", "refused", "read-only"]);

/** What the reports are compared with. */
export interface Known {
  readonly activity: Pick<ActivityFacts, "state" | "note">;
  readonly limitedUntil: number | null;
  /** May one more state change become an event? Called once per change. */
  mayRecord(): boolean;
}

/**
 * Sorts what an agent printed into facts and live state.
 *
 * | report | becomes |
 * |---|---|
 * | question, withdrawn question, receipt, held message, refused host, conversation, error, end of a turn | a fact each |
 * | status or rate limit that differs from the state before it | a fact; over the allowance only the newest |
 * | status that repeats the state, with or without a new note | live state only |
 * | usage | summed |
 * | rate-limit windows | live state only, the newest |
 */
export function collectReports(before: Collected, signals: readonly AgentSignal[], known: Known): Collected {
  const facts = [...before.facts];
  let { isDeferred, usage, newest, windows } = before;
  for (const signal of signals) {
    if (signal.kind === "usage") {
      usage = addUp(usage, signal);
      continue;
    }
    if (signal.kind === "windows") {
      windows = signal.windows;
      continue;
    }
    newest = newestAfter(signal, newest);
    // A waiting change is not recorded yet, so a newer report replaces or cancels it.
    const isState = signal.kind === "status" || signal.kind === "limited";
    const replaces = isState && isDeferred;
    if (replaces) facts.pop();
    const isNews = !isState || stateOf(signal) !== stateAfter(facts, known);
    if (isNews) facts.push(signal);
    isDeferred = isState && isNews && (replaces || !known.mayRecord());
  }
  return { facts, isDeferred, usage, newest, windows };
}

function newestAfter(signal: AgentSignal, before: Collected["newest"]): Collected["newest"] {
  if (signal.kind === "status") return signal;
  return SILENT.has(signal.kind) ? before : null;
}

/** Does something here have to be recorded at once? */
export function isUrgent({ facts, isDeferred }: Collected): boolean {
  return facts.length > (isDeferred ? 1 : 0);
}

/** The signals to submit. Usage comes first, so that it is counted by the end of a turn. */
export function toSubmit({ facts, usage }: Collected): readonly FactSignal[] {
  return [...usage, ...facts];
}

// null: the fact is not a status, so the next status is a change.
function stateAfter(facts: readonly FactSignal[], { activity, limitedUntil }: Known): string | null {
  const last = facts.at(-1);
  if (last === undefined) return nameState(activity.state, activity.note, limitedUntil);
  if (last.kind === "done") return "idle";
  return last.kind === "status" || last.kind === "limited" ? stateOf(last) : null;
}

function stateOf(report: StateReport): string {
  return report.kind === "limited"
    ? nameState("limited", report.reason, report.until)
    : nameState(report.state, report.note, null);
}

// People see what an agent waits for as a separate problem, so another note is another state.
function nameState(state: ActivityFacts["state"], note: string | null, until: number | null): string {
  const what = note?.slice(0, COMPARED);
  if (state === "waiting") return `waiting: ${what}`;
  return state === "limited" ? `limited until ${until}: ${what}` : state;
}

function addUp(sums: readonly UsageReport[], report: UsageReport): readonly UsageReport[] {
  const at = sums.findIndex((sum) => usageClass(sum) === usageClass(report));
  const sum = sums[at];
  return sum === undefined ? [...sums, report] : sums.with(at, add(sum, report));
}

// Tokens with money, tokens without, and money alone are counted differently.
function usageClass({ model, costUsd, inputTokens, outputTokens }: UsedReport): string {
  return JSON.stringify([model, costUsd > 0, inputTokens + outputTokens > 0]);
}

function add(sum: UsageReport, report: UsageReport): UsageReport {
  const cachedTokens = cachedOf(sum) + cachedOf(report);
  return {
    ...sum,
    inputTokens: sum.inputTokens + report.inputTokens,
    outputTokens: sum.outputTokens + report.outputTokens,
    costUsd: sum.costUsd + report.costUsd,
    ...(cachedTokens === 0 ? {} : { cachedTokens }),
  };
}

function cachedOf({ cachedTokens = 0, inputTokens }: UsedReport): number {
  return Math.min(cachedTokens, inputTokens);
}
