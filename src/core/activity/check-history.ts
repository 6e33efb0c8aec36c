import type { CheckState } from "../change/state.ts";
import type { AnyEvent } from "../event.ts";

/** One run of a check that has ended. */
export interface CheckRunRecord {
  readonly head: string;
  readonly changeKey: string;
  readonly attempt: number;
  readonly state: CheckState;
  readonly tookMs: number | null;
  readonly at: number;
  /** It failed, and the same check passed on the same commit, or vice versa. */
  readonly flaky: boolean;
}

/** By check: its last runs, oldest first. */
export type CheckHistory = Readonly<Record<string, readonly CheckRunRecord[]>>;

/** How many runs of a check are kept. */
export const MAX_RUNS = 48;

/** Adds the end of a check to a project's history; ignores a canceled run. */
export function addCheckRun(
  history: CheckHistory,
  event: Extract<AnyEvent, { readonly type: "check.finished" }>,
  { changeKey, at }: { readonly changeKey: string; readonly at: number },
): CheckHistory {
  const { name, head, attempt, state, tookMs } = event;
  if (state === "cancelled") return history;
  const before = Object.hasOwn(history, name) ? (history[name] ?? []) : [];
  const contradicts = (run: CheckRunRecord): boolean =>
    run.head === head && isVerdict(run.state) && isVerdict(state) && (run.state === "passed") !== (state === "passed");
  const flaky = before.some(contradicts);
  const marked = before.map((run) => (contradicts(run) ? { ...run, flaky: true } : run));
  const run: CheckRunRecord = { head, changeKey, attempt, state, tookMs, at, flaky };
  return { ...history, [name]: [...marked, run].slice(-MAX_RUNS) };
}

function isVerdict(state: CheckState): boolean {
  return state === "passed" || state === "failed" || state === "timed-out";
}
