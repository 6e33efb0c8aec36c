import type { ChangeEvent } from "./events.ts";
import type { MergeRequest } from "./merge-request.ts";
import type { ChangeState } from "./state.ts";

type MergeEvent = Extract<ChangeEvent, { readonly type: `merge.${string}` }>;

export function isMergeEvent(event: ChangeEvent): event is MergeEvent {
  return event.type.startsWith("merge.");
}

/** Applies an event to the requested merge of an open change. */
export function evolveMerge(state: ChangeState, event: MergeEvent, at: number): ChangeState {
  const { mergeRequest: request } = state;
  switch (event.type) {
    case "merge.requested": {
      const { by, strategy, deleteAfter, head, override } = event;
      const asked: MergeRequest = {
        ...(override === undefined ? {} : { override }),
        by,
        strategy,
        deleteAfter,
        head,
        reason: null,
        files: [],
        notBefore: 0,
        holds: 0,
        at,
      };
      return { ...state, mergeRequest: asked, mergeCancelled: null, mergeRequests: requestsOf(state) + 1 };
    }
    case "merge.held":
    case "merge.released":
    case "merge.queued":
      return request === null ? state : { ...state, mergeRequest: waiting(request, event) };
    case "merge.dequeued": {
      if (request === null) return state;
      const { name, reason, isFailure, check } = event;
      const failed = check === undefined ? {} : { check };
      const refusal = { reason, head: request.head, ...(isFailure ? { queue: name, ...failed } : {}), at };
      return { ...state, mergeRequest: null, refusal, refusals: state.refusals + 1 };
    }
    case "merge.refused":
      return refused(state, event, at);
    case "merge.rejected": {
      const { type: _, ...rejection } = event;
      return { ...state, mergeRequest: null, rejection };
    }
    case "merge.cancelled":
      return request === null
        ? state
        : { ...state, mergeRequest: null, mergeCancelled: { by: event.by, head: request.head } };
  }
}

type WaitEvent = Extract<MergeEvent, { readonly type: "merge.held" | "merge.released" | "merge.queued" }>;

function waiting(request: MergeRequest, event: WaitEvent): MergeRequest {
  switch (event.type) {
    case "merge.held": {
      const { reason, files, notBefore, isPlanned = false } = event;
      return { ...request, reason, files, notBefore, holds: request.holds + 1, isPlanned };
    }
    case "merge.released": {
      const { isPlanned: _, ...rest } = request;
      return { ...rest, reason: null, files: [], notBefore: 0 };
    }
    case "merge.queued": {
      const { name, position, removal } = event;
      return { ...request, reason: null, files: [], queue: { name, position, removal } };
    }
  }
}

function refused(state: ChangeState, event: Extract<MergeEvent, { type: "merge.refused" }>, at: number): ChangeState {
  const { reason, head = state.head } = event;
  const refusals = state.refusals + 1;
  // That an older commit could not be merged says nothing about this one.
  return head === state.head
    ? { ...state, mergeRequest: null, refusal: { reason, head, at }, refusals }
    : { ...state, refusals };
}

/** The number of the last requested merge; a state that does not say may have one. */
export function requestsOf({ mergeRequests = 1 }: ChangeState): number {
  return mergeRequests;
}
