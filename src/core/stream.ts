/** One history of events: a session, a task, a project, or the fleet. */
export type StreamId = `session:${string}` | `task:${string}` | `project:${string}` | "fleet";

/** The stream of a session. */
export function sessionStream(id: string): StreamId {
  return `session:${id}`;
}

/** The stream of a task; its key is the project and the issue, or the session of an ad-hoc prompt. */
export function taskStream(key: string): StreamId {
  return `task:${key}`;
}

/** The stream of a project. */
export function projectStream(id: string): StreamId {
  return `project:${id}`;
}

/** The kind of a stream and the id inside it. */
export function splitStream(stream: StreamId): {
  readonly kind: "session" | "task" | "project" | "fleet";
  readonly id: string;
} {
  const colon = stream.indexOf(":");
  if (colon < 0) return { kind: "fleet", id: "" };
  return { kind: stream.slice(0, colon) as "session" | "task" | "project", id: stream.slice(colon + 1) };
}
