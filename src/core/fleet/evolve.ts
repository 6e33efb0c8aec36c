import { isNoticeEvent } from "../event-catalog.ts";
import { evolveSnoozes } from "../need/snooze.ts";
import { evolveNotices } from "../notice/state.ts";
import type { FleetEvent } from "./events.ts";
import type { FleetState } from "./state.ts";

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
    case "inbox.snoozed":
    case "inbox.returned":
      return { ...state, snoozes: evolveSnoozes(state.snoozes ?? {}, event) };
    case "intent.recorded":
    case "intent.started":
    case "intent.finished":
    case "intent.withdrawn":
      return state;
    case "daemon.stopped":
      return { ...state, daemon: { ...state.daemon, up: false, at } };
    case "fleet.limited":
      return limited(state, event);
    case "fleet.paused":
      return { ...state, paused: true };
    case "fleet.resumed":
      return { ...state, paused: false };
  }
}

function limited(
  { ciRuns: _, ...state }: FleetState,
  { limit, ciRuns }: Extract<FleetEvent, { readonly type: "fleet.limited" }>,
): FleetState {
  return { ...state, limit, ...(ciRuns === undefined ? {} : { ciRuns }) };
}
