import { type Emitted, onFleet } from "../event.ts";
import { accept, type CommandOf, type Decision, type FleetCommand } from "../input.ts";
import type { IntentOutcome, NotifySpec } from "../intent.ts";
import { decideProjectPause } from "../project/decide.ts";
import { isSame } from "../same.ts";
import type { World } from "../world.ts";
import type { FleetEvent } from "./events.ts";
import type { FleetState } from "./state.ts";

/** Commands of people and the daemon about the fleet; one that changes nothing is accepted without an event. */
export function decideFleetCommand(world: World, command: FleetCommand): Decision {
  const fleet = world.fleet();
  switch (command.type) {
    case "fleet.limit":
      return decideLimit(fleet, command);
    case "fleet.prices":
      return unless(isSame(fleet.prices ?? {}, command.prices), { type: "fleet.prices-set", prices: command.prices });
    case "fleet.routing":
      return unless(isSame(fleet.notices.routing, command.routing), {
        type: "fleet.routing-set",
        routing: command.routing,
      });
    case "fleet.pause":
    case "fleet.resume": {
      const paused = command.type === "fleet.pause";
      if (command.projectId !== null) return decideProjectPause(world, command.projectId, paused);
      return unless(fleet.paused === paused, { type: paused ? "fleet.paused" : "fleet.resumed" });
    }
    case "daemon.woke":
      return accept(onFleet({ type: "daemon.woke", sleptMs: command.sleptMs }));
    case "daemon.up":
      return accept(onFleet({ type: "daemon.started", version: command.version, pid: command.pid }));
    case "daemon.down":
      return accept(onFleet({ type: "daemon.stopped", reason: command.reason }));
  }
}

function unless(isSo: boolean, event: FleetEvent): Decision {
  return accept(isSo ? [] : onFleet(event));
}

/** What the start of a notification means. */
export function decideFleetStarting({ notifier, noticeIds: ids }: NotifySpec): readonly Emitted[] {
  return onFleet({ type: "notice.sending", notifier, ids });
}

/** What the outcome of a notification means. */
export function decideFleetOutcome(
  { notifier, noticeIds: ids }: NotifySpec,
  outcome: IntentOutcome,
): readonly Emitted[] {
  if (outcome.kind === "notified") return onFleet({ type: "notice.sent", notifier, ids });
  if (outcome.kind !== "failed") {
    return onFleet({ type: "notice.failed", notifier, ids, reason: "delivery unknown", again: false });
  }
  const { code, message: reason, retryAfterMs } = outcome;
  const again = code !== "config-invalid" && code !== "plugin-unavailable";
  const failed = { type: "notice.failed", notifier, ids, reason, again } as const;
  return onFleet(retryAfterMs === undefined ? failed : { ...failed, retryAfterMs });
}

function decideLimit(fleet: FleetState, { limit, ciRuns }: CommandOf<"fleet.limit">): Decision {
  const known = fleet.ciRuns ?? null;
  const wanted = ciRuns === undefined ? known : ciRuns;
  const event = { type: "fleet.limited", limit, ...(wanted === null ? {} : { ciRuns: wanted }) } as const;
  return unless(fleet.limit === limit && known === wanted, event);
}
