import type { Prices } from "../cost/prices.ts";
import type { IntentEvent } from "../intent.ts";
import type { NoticePriority } from "../notice/notice.ts";
import { evolveNotices, initialNotices, isNoticeEvent, type NoticeEvent, type Notices } from "../notice/state.ts";

/** What holds for all sessions together. */
export interface FleetState {
  readonly paused: boolean;
  /** How many sessions may be open at once. */
  readonly limit: number;
  readonly daemon: { readonly up: boolean; readonly version: string; readonly at: number };
  /** Since when all is watched without a gap: a daemon that was down, or a machine that slept, saw nothing. */
  readonly watchedSince: number;
  /** What people are to be told outside of the dashboard. */
  readonly notices: Notices;
  /** The user's own prices of models; absent in states of before they were known. */
  readonly prices?: Prices;
}

export type FleetEvent =
  | { readonly type: "daemon.started"; readonly version: string; readonly pid: number }
  | { readonly type: "daemon.stopped"; readonly reason: string }
  | { readonly type: "fleet.limited"; readonly limit: number }
  | { readonly type: "fleet.paused" }
  | { readonly type: "fleet.resumed" }
  /** A timer came far too late: the machine slept. */
  | { readonly type: "daemon.woke"; readonly sleptMs: number }
  | { readonly type: "fleet.routing-set"; readonly routing: Readonly<Record<NoticePriority, readonly string[]>> }
  | { readonly type: "fleet.prices-set"; readonly prices: Prices }
  | NoticeEvent
  | IntentEvent;

export const DEFAULT_LIMIT = 5;

/** The fleet before its first event. */
export function initialFleet(): FleetState {
  return {
    paused: false,
    limit: DEFAULT_LIMIT,
    daemon: { up: false, version: "", at: 0 },
    watchedSince: 0,
    notices: initialNotices(),
  };
}

/** Applies one event to the fleet. */
export function evolveFleet(state: FleetState, event: FleetEvent, at: number): FleetState {
  if (isNoticeEvent(event)) return { ...state, notices: evolveNotices(state.notices, event, at) };
  switch (event.type) {
    case "daemon.started":
      return { ...state, daemon: { up: true, version: event.version, at }, watchedSince: at };
    case "daemon.woke":
      return { ...state, watchedSince: at };
    case "fleet.routing-set":
      return { ...state, notices: { ...state.notices, routing: event.routing } };
    case "fleet.prices-set":
      return { ...state, prices: event.prices };
    case "intent.recorded":
    case "intent.started":
    case "intent.finished":
    case "intent.withdrawn":
      return state;
    case "daemon.stopped":
      return { ...state, daemon: { ...state.daemon, up: false, at } };
    case "fleet.limited":
      return { ...state, limit: event.limit };
    case "fleet.paused":
      return { ...state, paused: true };
    case "fleet.resumed":
      return { ...state, paused: false };
  }
}
