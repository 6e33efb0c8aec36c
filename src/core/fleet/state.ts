import type { Prices } from "../cost/prices.ts";
import { initialNotices, type Notices } from "../notice/state.ts";

/** An inbox item that a person does not want to see until a time, or until it changes. */
interface Snooze {
  readonly until: number;
  readonly occurrence: string;
}

/** By the id of the inbox item. */
export type Snoozes = Readonly<Record<string, Snooze>>;

/** What holds for all sessions together. */
export interface FleetState {
  readonly paused: boolean;
  /** How many sessions may be open at once. */
  readonly limit: number;
  /** How many checks may run here at once, on pull requests, merge trains and bases together; absent: no limit was set. */
  readonly ciRuns?: number;
  readonly daemon: { readonly up: boolean; readonly version: string; readonly at: number };
  /** Since when all is watched without a gap: a daemon that was down, or a machine that slept, saw nothing. */
  readonly watchedSince: number;
  /** What people are notified of outside the dashboard. */
  readonly notices: Notices;
  /** The user's own prices of models; absent in states that older versions saved. */
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
