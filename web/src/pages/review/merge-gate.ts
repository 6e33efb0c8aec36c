import type { PullRequestDetailView } from "../../../../src/protocol/views/pull-request.ts";
import { describeMerge, toProofCells } from "./merge-proof.ts";

/** One condition of the merge. */
export interface GateCell {
  readonly key: string;
  readonly state: "met" | "you" | "agent" | "time" | "bad";
  readonly title: string;
  readonly detail: string;
  /** The check whose log explains it. */
  readonly log?: string;
}

type Facts = Pick<
  PullRequestDetailView,
  | "phase"
  | "base"
  | "checks"
  | "approvals"
  | "blockers"
  | "rules"
  | "mergeability"
  | "mergeRequest"
  | "refusal"
  | "threads"
  | "sessionId"
  | "proof"
>;

/** Every condition of the merge, and who clears the unmet ones: you, the agent, or time; once merged, why it was allowed. */
export function toGate(facts: Facts): readonly GateCell[] {
  if (facts.phase !== "open") return facts.proof === undefined ? [] : toProofCells(facts.proof);
  return [checksCell(facts), conflictCell(facts), ...reviewCells(facts), ...otherCells(facts)].filter(
    (cell) => cell !== null,
  );
}

const BAD = ["failed", "timed-out", "setup-failed", "unknown", "cancelled"];

function checksCell({ checks, sessionId }: Facts): GateCell | null {
  if (checks.length === 0) return null;
  const names = (states: readonly string[]): string =>
    checks
      .filter(({ state }) => states.includes(state))
      .map(({ name }) => name)
      .join(", ");
  const count = (state: (state: string) => boolean): number => checks.filter((check) => state(check.state)).length;
  const of = `of ${checks.length} checks`;
  const [first, ...more] = checks.filter(({ state }) => BAD.includes(state));
  if (first !== undefined) {
    const exit = first.code === null ? "" : `, exit ${first.code}`;
    const title =
      more.length === 0 ? `${first.name} ${describeBad(first.state)}${exit}` : `${more.length + 1} ${of} failed`;
    const detail = sessionId === null ? names(BAD) : `${names(BAD)}; sent to the agent`;
    return { key: "checks", state: "bad", title, detail, log: first.name };
  }
  const passed = count((state) => state === "passed");
  if (passed < checks.length) {
    const title = `${checks.length - passed} ${of} running`;
    return { key: "checks", state: "time", title, detail: names(["running", "queued"]) };
  }
  return {
    key: "checks",
    state: "met",
    title: `${passed} ${of} passed`,
    detail: `${names(["passed"])} on this commit`,
  };
}

function describeBad(state: string): string {
  return state === "unknown" ? "has no result" : state.replaceAll("-", " ");
}

function conflictCell({ mergeability, base, sessionId }: Facts): GateCell {
  const key = "conflicts";
  if (mergeability === null) {
    return { key, state: "time", title: "Checking for conflicts", detail: `test merge with ${base}` };
  }
  const files = mergeability.files.slice(0, 3).join(", ");
  switch (mergeability.kind) {
    case "clean":
      return { key, state: "met", title: "No conflicts", detail: `merges cleanly with ${base}` };
    case "conflict":
      return { key, state: sessionId === null ? "you" : "agent", title: `Conflicts with ${base}`, detail: files };
    default:
      return { key, state: "you", title: "Mergeability unknown", detail: files };
  }
}

function reviewCells({ rules, approvals, threads }: Facts): readonly GateCell[] {
  const { missing = 0 } = rules.find(({ kind }) => kind === "approvals") ?? {};
  const open = threads.filter(({ resolvedBy }) => resolvedBy === null);
  const approval: GateCell =
    missing === 0
      ? { key: "approvals", state: "met", title: describeApprovals(approvals), detail: approvals.join(", ") }
      : {
          key: "approvals",
          state: "you",
          title: `${missing} ${plural(missing, "approval")} missing`,
          detail: "of this commit",
        };
  return [approval, ...(open.length === 0 ? [] : [threadsCell(open)])];
}

function describeApprovals({ length }: readonly string[]): string {
  return length === 0 ? "No approval needed" : `${length} ${plural(length, "approval")}`;
}

function threadsCell(open: Facts["threads"]): GateCell {
  const answered = open.filter(({ comments }) => comments.at(-1)?.byAgent === true).length;
  const title = `${open.length} unresolved ${plural(open.length, "thread")}`;
  const isYours = answered === open.length;
  const detail = isYours ? "the agent replied, yours to resolve" : `${open.length - answered} with the agent`;
  return { key: "threads", state: isYours ? "you" : "agent", title, detail };
}

/** Titles of the rules without their own cell. */
const TITLES: Readonly<Partial<Record<Facts["rules"][number]["kind"], string>>> = {
  "changes-requested": "Changes requested",
  label: "Held by a label",
  paths: "Needs a person",
  size: "Large change",
  condition: "Held by a rule",
  "quiet-hours": "Quiet hours",
  forge: "Forge",
  pause: "Paused",
};

function otherCells({ rules, refusal, sessionId }: Facts): readonly GateCell[] {
  const others = rules.flatMap(({ kind, rule, verdict, text }): readonly GateCell[] => {
    const title = TITLES[kind];
    if (title === undefined || verdict === "met") return [];
    if (verdict === "overridden") return [{ key: rule, state: "met", title: `${title}, overridden`, detail: text }];
    const isWithAgent = kind === "changes-requested" && sessionId !== null;
    const state = kind === "pause" ? "you" : verdict === "waiting" ? "time" : isWithAgent ? "agent" : "you";
    return [{ key: rule, state, title, detail: text }];
  });
  if (refusal === null) return others;
  return [...others, { key: "refusal", state: "you", title: "Last merge failed", detail: refusal }];
}

/** The gate in a sentence. */
export function summarizeGate({ phase, blockers, mergeRequest, proof }: Facts): {
  readonly title: string;
  readonly text: string;
} {
  if (phase === "merged") return { title: "Merged", text: proof === undefined ? "" : describeMerge(proof) };
  if (phase !== "open") return { title: "Closed", text: "" };
  if (blockers.length === 0) {
    return mergeRequest === null
      ? { title: "Ready to merge", text: "Nothing blocks the merge." }
      : { title: "Merging", text: `requested by ${mergeRequest.by}` };
  }
  const needs = blockers.join(", ");
  if (mergeRequest === null) return { title: "Not ready to merge", text: `Blocked: ${needs}.` };
  return { title: "Merge requested", text: `It merges once this clears: ${needs}. A new commit cancels that.` };
}

export function plural(count: number, word: string): string {
  return count === 1 ? word : `${word}s`;
}
