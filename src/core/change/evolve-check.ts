import type { EarlierFailures } from "../cause/attribution.ts";
import type { FailureDetails } from "../cause/read-failure.ts";
import type { ChangeEvent } from "./events.ts";
import type { ChangeState, CheckRun } from "./state.ts";

type CheckEvent = Extract<ChangeEvent, { readonly type: `check.${string}` }>;

/** What happens to the checks of a pull request. News of an older commit is old news, except that its run has ended. */
export function evolveCheck(state: ChangeState, event: CheckEvent, at: number): ChangeState {
  const known = state.checks[event.name];
  if (event.type === "check.rerun-requested") return rerunRequested(state, event, at);
  if (event.type === "check.attributed") {
    const { type: _, name: __, head, attempt, ...attribution } = event;
    return known?.head === head && known.attempt === attempt ? withCheck(state, { ...known, attribution }) : state;
  }
  const newest = known?.attempt ?? (state.attempts[state.head] ?? 0) + 1;
  if (event.head !== state.head || event.attempt < newest) return state;
  const { name, head, attempt, ref, url } = event;
  const earlier = earlierOf(known, attempt);
  const kept = {
    ...(ref === undefined ? {} : { ref }),
    ...(url === undefined ? {} : { url }),
    ...(earlier === undefined ? {} : { earlier }),
  };
  if (event.type === "check.started") {
    const nothing = { code: null, log: null, fingerprint: "", tookMs: null };
    return withCheck(state, { name, head, attempt, state: "running", ...nothing, ...kept, at });
  }
  const { code, log, fingerprint, tookMs } = event;
  const facts = { name, head, attempt, state: event.state, code, log, fingerprint, tookMs };
  return withCheck(state, { ...facts, ...detailsOf(event), ...kept, at });
}

function detailsOf({ step, tests, isSandboxed, refused }: FailureDetails): FailureDetails {
  return {
    ...(step === undefined ? {} : { step }),
    ...(tests === undefined ? {} : { tests }),
    ...(isSandboxed === undefined ? {} : { isSandboxed }),
    ...(refused === undefined ? {} : { refused }),
  };
}

/** The forge refused to run a check again: its result from before counts. */
export function withoutRerun(state: ChangeState, check: string): ChangeState {
  const known = state.checks[check];
  if (known?.state !== "queued") return state;
  const { beforeRerun, earlier, ...run } = known;
  const before = beforeRerun ?? earlier;
  if (before === undefined) return state;
  if (earlier !== undefined && isRed(before))
    return withCheck(state, { ...run, state: before.state, earlier: { ...earlier, isRefused: true } });
  return withCheck(state, { ...run, ...beforeRerun, ...(earlier === undefined ? {} : { earlier }) });
}

/** Has it failed, rather than not run? */
export function isRed({ state }: Pick<CheckRun, "state">): boolean {
  return state === "failed" || state === "timed-out";
}

function rerunRequested(
  state: ChangeState,
  event: Extract<CheckEvent, { type: "check.rerun-requested" }>,
  at: number,
): ChangeState {
  const known = state.checks[event.name];
  if (known === undefined || known.attempt >= event.attempt) return state;
  // Who wants the checks to run again also wants it to be tried on the newest base again.
  const { rejection: _, ...rest } = state;
  const { attribution, ...run } = known;
  const earlier = earlierOf(known, event.attempt);
  const before = { state: run.state, ...(attribution === undefined ? {} : { attribution }) };
  const kept = { beforeRerun: run.beforeRerun ?? before, ...(earlier === undefined ? {} : { earlier }) };
  return withCheck(rest, { ...run, attempt: event.attempt, state: "queued", ...kept, at });
}

// Another attempt on the same commit remembers that the one before was red.
function earlierOf(known: CheckRun | undefined, attempt: number): EarlierFailures | undefined {
  if (known === undefined || attempt <= known.attempt || !isRed(known)) return known?.earlier;
  const { count, tests } = known.earlier ?? { count: 0, tests: [] };
  const state = known.state === "timed-out" ? "timed-out" : "failed";
  return { count: count + 1, state, tests: [...new Set([...tests, ...(known.tests ?? [])])].slice(0, MAX_TESTS) };
}

const MAX_TESTS = 40;

function withCheck(state: ChangeState, run: CheckRun): ChangeState {
  return { ...state, checks: { ...state.checks, [run.name]: run } };
}
