/** One history of events: a session, a change (pull request), a task, a project, or the fleet. */
export type StreamId = `session:${string}` | `change:${string}` | `task:${string}` | `project:${string}` | "fleet";

export const STREAM_KINDS = ["session", "change", "task", "project", "fleet"] as const;

export type StreamKind = (typeof STREAM_KINDS)[number];

/** The stream of a session. */
export function sessionStream(id: string): StreamId {
  return `session:${id}`;
}

/** The stream of a change; its key is the project and the number of the pull request. */
export function changeStream(key: string): StreamId {
  return `change:${key}`;
}

/** The stream of a task; its key is the project and the issue, or the session of an ad-hoc prompt. */
export function taskStream(key: string): StreamId {
  return `task:${key}`;
}

/** The stream of a project. */
export function projectStream(id: string): StreamId {
  return `project:${id}`;
}

/** Can this stream want effects or wait for a time? Tasks only hold facts. */
export function canWant(stream: StreamId): boolean {
  return splitStream(stream).kind !== "task";
}

/** The kind of a stream and the id inside it. */
export function splitStream(stream: StreamId): {
  readonly kind: StreamKind;
  readonly id: string;
} {
  const colon = stream.indexOf(":");
  if (colon < 0) return { kind: "fleet", id: "" };
  return { kind: stream.slice(0, colon) as StreamKind, id: stream.slice(colon + 1) };
}
