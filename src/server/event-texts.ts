import type { EventOf, EventType } from "../core/event.ts";

/** One sentence for each of these event types. */
export type EventTexts<T extends EventType> = { readonly [K in T]: (event: EventOf<K>) => string };
