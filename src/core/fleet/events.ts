import type { Prices } from "../cost/prices.ts";
import type { IntentEvent } from "../intent.ts";
import type { NoticePriority } from "../notice/notice.ts";
import type { NoticeEvent } from "../notice/state.ts";

/** Everything that can have happened to the fleet. docs/lifecycle.md has a row for each. */
export type FleetEvent =
  | { readonly type: "daemon.started"; readonly version: string; readonly pid: number }
  | { readonly type: "daemon.stopped"; readonly reason: string }
  /** ciRuns absent: checks have no limit of their own. */
  | { readonly type: "fleet.limited"; readonly limit: number; readonly ciRuns?: number }
  | { readonly type: "fleet.paused" }
  | { readonly type: "fleet.resumed" }
  /** A timer fired far too late: the machine slept. */
  | { readonly type: "daemon.woke"; readonly sleptMs: number }
  | { readonly type: "fleet.routing-set"; readonly routing: Readonly<Record<NoticePriority, readonly string[]>> }
  | { readonly type: "fleet.prices-set"; readonly prices: Prices }
  | {
      readonly type: "inbox.snoozed";
      readonly id: string;
      /** It returns early if this differs. */
      readonly occurrence: string;
      readonly until: number;
      readonly by: string;
    }
  | { readonly type: "inbox.returned"; readonly id: string }
  | NoticeEvent
  | IntentEvent;
