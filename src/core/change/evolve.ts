import { withArchived } from "../archived-state.ts";
import { evolveCommands, isCommandEvent } from "../command/command-run.ts";
import { isProblemEvent } from "../event-catalog.ts";
import { intentPrefix } from "../intent.ts";
import { evolveProblems } from "../reaction/problem.ts";
import { markOf } from "../reaction/untrusted.ts";
import { changeStream } from "../stream.ts";
import type { ChangeEvent } from "./events.ts";
import { evolveCheck } from "./evolve-check.ts";
import { evolveForge, isForgeEvent, newOnForge } from "./evolve-forge.ts";
import { evolveMerge, isMergeEvent } from "./evolve-merge.ts";
import { evolveReview } from "./evolve-review.ts";
import { evolveTransfer, isTransferEvent } from "./evolve-transfer.ts";
import type { ChangeState } from "./state.ts";

/** How many earlier commits are remembered. */
const MAX_HEADS = 100;

/** Applies one event. Total: it never throws, and an event that does not fit changes nothing. */
export function evolveChange(state: ChangeState | undefined, event: ChangeEvent, at: number): ChangeState | undefined {
  if (event.type === "change.opened") return state ?? open(event, at);
  if (state === undefined) return undefined;
  if (event.type === "change.archived") return withArchived(state, at);
  if (event.type === "change.unarchived") return withArchived(state, null);
  const next = apply(state, event, at);
  return next === state ? state : { ...next, updatedAt: Math.max(at, state.updatedAt) };
}

function apply(state: ChangeState, event: ChangeEvent, at: number): ChangeState {
  if (isProblemEvent(event)) return evolveProblems(state, event, at);
  if (isMergeEvent(event)) return state.phase === "open" ? evolveMerge(state, event, at) : state;
  if (isForgeEvent(event)) return evolveForge(state, event);
  if (isTransferEvent(event)) return evolveTransfer(state, event);
  if (isCommandEvent(event)) return evolveCommands(state, event, at);
  switch (event.type) {
    case "change.updated":
      return updated(state, event.head);
    case "change.stacked":
      return stacked(state, event);
    case "change.retargeted":
      return retargeted(state, event);
    case "change.reopened":
      return state.phase === "closed" ? { ...state, phase: "open" } : state;
    case "change.closed":
      return state.phase === "open" ? { ...state, phase: "closed", mergeRequest: null } : state;
    case "change.tried":
      return tried(state, event);
    case "check.started":
    case "check.finished":
    case "check.rerun-requested":
    case "check.attributed":
      return evolveCheck(state, event, at);
    case "untrusted.read":
      return { ...state, readUntrusted: markOf(event, at) };
    case "review.given":
    case "review.dismissed":
    case "review.requested":
    case "thread.replied":
    case "thread.resolved":
    case "thread.reopened":
    case "label.added":
    case "label.removed":
      return evolveReview(state, event, at);
    case "change.merged":
      return merged(state, event, at);
    case "issue.held":
      return { ...state, issueHeld: { notBefore: event.notBefore, count: (state.issueHeld?.count ?? 0) + 1 } };
    case "branch.settled":
    case "issue.settled":
      return { ...state, [event.type === "branch.settled" ? "branchFate" : "issueFate"]: event.reason };
    case "intent.started":
    case "intent.finished":
      return underWay(state, event);
    case "intent.recorded":
    case "intent.withdrawn":
    case "change.archived":
    case "change.unarchived":
    case "change.opened":
      return state;
  }
}

function updated(state: ChangeState, head: string): ChangeState {
  if (state.phase !== "open" || head === state.head) return state;
  return { ...state, head, checks: {}, attempts: attemptsOf(state), mergeRequest: null, refusal: null };
}

function stacked(state: ChangeState, { on }: Extract<ChangeEvent, { readonly type: "change.stacked" }>): ChangeState {
  return state.stackedOn === undefined ? state : { ...state, stackedOn: on };
}

// Its commit stays, so its checks and reviews count; how it merges into the new base is tried again.
function retargeted(
  { stackedOn: _, ...state }: ChangeState,
  { base, landed }: Extract<ChangeEvent, { readonly type: "change.retargeted" }>,
): ChangeState {
  return { ...state, base, ...(landed === undefined ? {} : { landed }) };
}

function tried(state: ChangeState, event: Extract<ChangeEvent, { readonly type: "change.tried" }>): ChangeState {
  const { type: _, ...facts } = event;
  return { ...state, mergeability: facts, tries: state.tries + 1 };
}

function attemptsOf(state: ChangeState): ChangeState["attempts"] {
  const last = Math.max(0, state.attempts[state.head] ?? 0, ...Object.values(state.checks).map((run) => run.attempt));
  const { [state.head]: _, ...others } = state.attempts;
  return last === 0
    ? state.attempts
    : Object.fromEntries([...Object.entries(others), [state.head, last]].slice(-MAX_HEADS));
}

type IntentNews = Extract<ChangeEvent, { readonly type: "intent.started" | "intent.finished" }>;

function underWay(state: ChangeState, event: IntentNews): ChangeState {
  const isUnderWay = event.type === "intent.started";
  if (state.mergeRequest === null || !event.id.startsWith(intentPrefix(changeStream(state.key), "merge-change")))
    return state;
  return (state.mergeRequest.isUnderWay ?? false) === isUnderWay
    ? state
    : { ...state, mergeRequest: { ...state.mergeRequest, isUnderWay } };
}

function merged(state: ChangeState, event: Extract<ChangeEvent, { type: "change.merged" }>, at: number): ChangeState {
  // A change that was closed during its merge still counts as merged.
  if (state.phase === "merged") return state;
  const { commit, baseBefore, head, proof } = event;
  const by = event.by ?? state.mergeRequest?.by ?? "somebody";
  const strategy = state.mergeRequest?.strategy ?? "merge";
  const deleteAfter = state.mergeRequest?.deleteAfter ?? false;
  return {
    ...state,
    phase: "merged",
    mergeRequest: null,
    // Commits added to the branch after this one are not part of it.
    head,
    merged: { commit, baseBefore, by, strategy, deleteAfter, ...(proof === undefined ? {} : { proof }), at },
  };
}

function open(event: Extract<ChangeEvent, { type: "change.opened" }>, at: number): ChangeState {
  const { type: _, by, isRemote, isDraft, fork, ...facts } = event;
  return {
    ...facts,
    ...(isRemote === true ? { forge: newOnForge(event.head, isDraft, fork) } : {}),
    key: event.key ?? `${event.projectId}/${event.number}`,
    openedBy: by,
    phase: "open",
    checks: {},
    attempts: {},
    reviews: [],
    threads: [],
    labels: [],
    mergeability: null,
    tries: 0,
    mergeRequest: null,
    refusal: null,
    refusals: 0,
    mergeRequests: 0,
    mergeCancelled: null,
    merged: null,
    branchFate: null,
    issueFate: null,
    problems: {},
    reactions: 0,
    openedAt: at,
    updatedAt: at,
  };
}
