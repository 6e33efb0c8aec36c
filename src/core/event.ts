import type { ChangeEvent } from "./change/events.ts";
import type { FleetEvent } from "./fleet/events.ts";
import type { ProjectEvent } from "./project/events.ts";
import type { SessionEvent } from "./session/events.ts";
import { changeStream, projectStream, type StreamId, sessionStream } from "./stream.ts";
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

/** Events of one session. */
export function onSession(id: string, ...events: readonly SessionEvent[]): readonly Emitted[] {
  return events.map((event) => ({ stream: sessionStream(id), event }));
}

/** Events of one change. */
export function onChange(key: string, ...events: readonly ChangeEvent[]): readonly Emitted[] {
  return events.map((event) => ({ stream: changeStream(key), event }));
}

/** Events of one project. */
export function onProject(id: string, ...events: readonly ProjectEvent[]): readonly Emitted[] {
  return events.map((event) => ({ stream: projectStream(id), event }));
}

/** Events of the fleet. */
export function onFleet(...events: readonly FleetEvent[]): readonly Emitted[] {
  return events.map((event) => ({ stream: "fleet", event }));
}
