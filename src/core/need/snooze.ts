import { type Emitted, onFleet } from "../event.ts";
import type { FleetEvent } from "../fleet/events.ts";
import type { FleetState, Snoozes } from "../fleet/state.ts";
import { accept, type CommandOf, type Decision, reject } from "../input.ts";
import type { Need } from "./need.ts";

/** Maximum number of snoozed items; the one that is due first makes space. */
export const MAX_SNOOZES = 500;

type SnoozeEvent = Extract<FleetEvent, { readonly type: `inbox.${string}` }>;

/** Hides an inbox item until a given time. */
export function decideSnooze(command: CommandOf<"inbox.snooze">, now: number): Decision {
  const { id, occurrence, until, by } = command;
  if (until <= now) {
    return reject(
      "usage",
      "The time to snooze until is in the past.",
      "Give a time in the future, such as `--for 2h`.",
    );
  }
  return accept(onFleet({ type: "inbox.snoozed", id, occurrence, until, by }));
}

/** Applies one event to the snoozed items. */
export function evolveSnoozes(snoozes: Snoozes, event: SnoozeEvent): Snoozes {
  const { [event.id]: _, ...others } = snoozes;
  if (event.type === "inbox.returned") return others;
  const { until, occurrence } = event;
  const kept = Object.entries(others).sort(([, a], [, b]) => b.until - a.until);
  return { ...Object.fromEntries(kept.slice(0, MAX_SNOOZES - 1)), [event.id]: { until, occurrence } };
}

/** Returns items that were snoozed until now. */
export function settleSnoozes({ snoozes = {} }: FleetState, now: number): readonly Emitted[] {
  return Object.entries(snoozes).flatMap(([id, { until }]) =>
    until <= now ? onFleet({ type: "inbox.returned", id }) : [],
  );
}

/** When the next snoozed item returns; null: none. */
export function nextReturn({ snoozes = {} }: FleetState): number | null {
  const times = Object.values(snoozes).map(({ until }) => until);
  return times.length === 0 ? null : Math.min(...times);
}

/** Until when a need is snoozed; null: it is not, or it has changed since. */
export function snoozedUntil({ snoozes = {} }: FleetState, need: Pick<Need, "id" | "occurrence">): number | null {
  const snooze = Object.hasOwn(snoozes, need.id) ? snoozes[need.id] : undefined;
  return snooze?.occurrence === need.occurrence ? snooze.until : null;
}
