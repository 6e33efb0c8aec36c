import type { EventOf, EventType } from "../core/event.ts";

/** `#12`: a pull request by its key. */
export type NameOf = (key: string) => string;

/** One sentence for each of these event types. */
export type EventTexts<T extends EventType> = { readonly [K in T]: (event: EventOf<K>, nameOf: NameOf) => string };
