/** What holds for all sessions together. */
export interface FleetState {
  readonly paused: boolean;
  /** How many sessions may be open at once. */
  readonly limit: number;
  readonly daemon: { readonly up: boolean; readonly version: string; readonly at: number };
}

export type FleetEvent =
  | { readonly type: "daemon.started"; readonly version: string; readonly pid: number }
  | { readonly type: "daemon.stopped"; readonly reason: string }
  | { readonly type: "fleet.limited"; readonly limit: number }
  | { readonly type: "fleet.paused" }
  | { readonly type: "fleet.resumed" };

export const DEFAULT_LIMIT = 5;

/** The fleet before its first event. */
export function initialFleet(): FleetState {
  return { paused: false, limit: DEFAULT_LIMIT, daemon: { up: false, version: "", at: 0 } };
}

/** Applies one event to the fleet. */
export function evolveFleet(state: FleetState, event: FleetEvent, at: number): FleetState {
  switch (event.type) {
    case "daemon.started":
      return { ...state, daemon: { up: true, version: event.version, at } };
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
