import type { AnyEvent, EventType } from "../core/event.ts";
import { splitStream } from "../core/stream.ts";
import type { StoredEvent } from "../ports/store.ts";
import type { EventView } from "../protocol/views/event.ts";
import type { NumberOf } from "./current-number.ts";
import { CHANGE_TEXTS } from "./event-text-change.ts";
import { FLEET_TEXTS } from "./event-text-fleet.ts";
import { PROBLEM_TEXTS } from "./event-text-problem.ts";
import { SESSION_TEXTS } from "./event-text-session.ts";
import type { EventTexts, NameOf } from "./event-texts.ts";
import { publicName } from "./public-name.ts";
import { toTime } from "./time.ts";

/** The text of every event type; the compiler reports a missing one. */
const TEXTS: EventTexts<EventType> = { ...SESSION_TEXTS, ...CHANGE_TEXTS, ...PROBLEM_TEXTS, ...FLEET_TEXTS };

/** An event as the API and the timeline show it, with the numbers that pull requests have now. */
export function toEventView(stored: StoredEvent, numberOf: NumberOf): EventView {
  const { type, ...data } = stored.event;
  const { kind, id } = splitStream(stored.stream);
  const number = kind === "change" ? numberOf(id) : undefined;
  const view = {
    position: stored.position,
    stream: publicName(stored.stream),
    ...(number === undefined ? {} : { number }),
    type: publicName(type),
    at: toTime(stored.at),
    text: describeEvent(stored.event, numberOf),
    data,
  };
  // Type and data belong to the same event, which the compiler cannot see.
  return view as EventView;
}

/** One sentence about an event. An event that only a newer `ao` knows is named by its type. */
export function describeEvent(event: AnyEvent, numberOf: NumberOf = () => undefined): string {
  // Each type has a function for exactly its event, which the compiler cannot see through a lookup.
  const describe = TEXTS[event.type] as ((event: AnyEvent, nameOf: NameOf) => string) | undefined;
  const nameOf: NameOf = (key) => `#${numberOf(key) ?? key.slice(key.lastIndexOf("/") + 1)}`;
  return describe === undefined ? event.type : describe(event, nameOf);
}
