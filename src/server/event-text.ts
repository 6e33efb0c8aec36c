import type { AnyEvent, EventType } from "../core/event.ts";
import type { StoredEvent } from "../ports/store.ts";
import type { EventView } from "../protocol/views/event.ts";
import { CHANGE_TEXTS } from "./event-text-change.ts";
import { FLEET_TEXTS } from "./event-text-fleet.ts";
import { PROBLEM_TEXTS } from "./event-text-problem.ts";
import { SESSION_TEXTS } from "./event-text-session.ts";
import type { EventTexts } from "./event-texts.ts";
import { publicName } from "./public-name.ts";
import { toTime } from "./time.ts";

/** The text of every event type; the compiler reports a missing one. */
const TEXTS: EventTexts<EventType> = { ...SESSION_TEXTS, ...CHANGE_TEXTS, ...PROBLEM_TEXTS, ...FLEET_TEXTS };

/** An event as the API and the timeline show it. */
export function toEventView(stored: StoredEvent): EventView {
  const { type, ...data } = stored.event;
  const view = {
    position: stored.position,
    stream: publicName(stored.stream),
    type: publicName(type),
    at: toTime(stored.at),
    text: describeEvent(stored.event),
    data,
  };
  // Type and data belong to the same event, which the compiler cannot see.
  return view as EventView;
}

/** One sentence about an event. An event that only a newer `ao` knows is named by its type. */
export function describeEvent(event: AnyEvent): string {
  // Each type has a function for exactly its event, which the compiler cannot see through a lookup.
  const describe = TEXTS[event.type] as ((event: AnyEvent) => string) | undefined;
  return describe === undefined ? event.type : describe(event);
}
