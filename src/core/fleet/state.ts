import type { Prices } from "../cost/prices.ts";
import { initialNotices, type Notices } from "../notice/state.ts";

/** An inbox item that a person hides until a given time, or until it changes. */
interface Snooze {
  readonly until: number;
  readonly occurrence: string;
}

/** By the id of the inbox item. */
export type Snoozes = Readonly<Record<string, Snooze>>;

/** What all sessions share. */
export interface FleetState {
  readonly paused: boolean;
  /** How many sessions may be open at once. */
  readonly limit: number;
  /** How many checks may run here at once, on pull requests, merge trains and bases together; absent: no limit was set. */
  readonly ciRuns?: number;
  readonly daemon: { readonly up: boolean; readonly version: string; readonly at: number };
  /**
   * Since when everything has been watched without a gap: a daemon that was down, or a machine that slept, saw nothing.
   */
  readonly watchedSince: number;
  /** What people are notified of outside the dashboard. */
  readonly notices: Notices;
  /** The user's own model prices; absent in states saved by older versions. */
  readonly prices?: Prices;
  /** Inbox items that return later; absent: none was ever snoozed. */
  readonly snoozes?: Snoozes;
}

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
