import type { CostView } from "./cost-view.ts";

/** Why a session needs a person: the most pressing of its entries in the inbox. */
export interface AttentionView {
  /** As in the inbox: question, review, ci-failed ... */
  readonly kind: string;
  /** What is needed, without the session's name and title. */
  readonly text: string;
  /** The command that deals with it. */
  readonly act: string;
  readonly at: string;
}

/** What holds for all listed sessions together. */
export interface FleetView {
  readonly paused: boolean;
  /** Paused on their own, while the rest goes on. */
  readonly pausedProjects: readonly string[];
  /** Since midnight UTC, stopped sessions included. */
  readonly costToday: CostView;
  /** Where the log was: `GET /api/events?since=` this misses nothing that the list does not show. */
  readonly position: number;
}
