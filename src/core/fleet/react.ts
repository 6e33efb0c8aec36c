import { shortHash } from "../hash.ts";
import { type IntentSpec, intentId, type Wanted } from "../intent.ts";
import { nextReturn } from "../need/snooze.ts";
import { planNotices } from "../notice/plan.ts";
import type { FleetState } from "./state.ts";

/** What the fleet wants done now: notify people. */
export function reactFleet(fleet: FleetState, now: number): Wanted {
  const { waiting, routing, deliveries, sending } = fleet.notices;
  const plan = planNotices({
    notices: waiting,
    routing,
    deliveries,
    inFlight: new Set(Object.keys(sending)),
    now,
  });
  const intents = plan.sends.map(({ notifier, ids, attempt }) => {
    const urgent = waiting.some((notice) => notice.id === ids[0] && notice.priority === "urgent");
    const spec: IntentSpec = { kind: "notify", notifier, noticeIds: ids, urgent };
    const id = intentId("fleet", "notify", `${notifier}.${shortHash(ids.join("\n"))}`, attempt);
    return { id, stream: "fleet", lane: `notify:${notifier}`, spec } as const;
  });
  const due = [plan.wakeAt, nextReturn(fleet)].filter((time) => time !== null);
  return { intents, wakeAt: due.length === 0 ? null : Math.min(...due) };
}
