import type { ChangeEvent } from "./change/events.ts";
import type { FleetEvent } from "./fleet/events.ts";
import type { ProjectEvent } from "./project/events.ts";
import type { SessionEvent } from "./session/events.ts";
import type { StreamId } from "./stream.ts";
import type { TaskEvent } from "./task/events.ts";

/** Everything that can have happened. */
export type AnyEvent = SessionEvent | ChangeEvent | TaskEvent | ProjectEvent | FleetEvent;

export type EventType = AnyEvent["type"];

/** The event of one type. */
export type EventOf<T extends EventType> = Extract<AnyEvent, { readonly type: T }>;

/** An event and the stream it belongs to. */
export interface Emitted {
  readonly stream: StreamId;
  readonly event: AnyEvent;
}
