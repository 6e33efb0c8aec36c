import { z } from "zod";
import type { UnknownNotice } from "../../driver.ts";

/** The parts of `opencode serve` that we use, parsed permissively. */
const optional = z.string().nullish().catch(null);
const fields = z.record(z.string(), z.unknown()).catch({});

const Failure = z.looseObject({
  name: z.string().catch(""),
  data: z
    .looseObject({
      message: z.string().catch(""),
      statusCode: z.number().nullish().catch(null),
      responseHeaders: z.record(z.string(), z.string()).catch({}),
    })
    .catch({ message: "", statusCode: null, responseHeaders: {} }),
});
export type Failure = z.infer<typeof Failure>;

const Part = z.looseObject({
  id: z.string(),
  type: z.string(),
  text: z.string().catch(""),
  /** For our own parts: the id of the prompt. */
  metadata: z
    .looseObject({ ao: z.looseObject({ prompt: z.string() }).nullish().catch(null) })
    .nullish()
    .catch(null),
  time: z
    .looseObject({ end: z.number().nullish().catch(null) })
    .nullish()
    .catch(null),
  tool: optional,
  callID: optional,
  state: z
    .looseObject({ status: z.string().catch(""), input: fields, output: optional, error: optional })
    .nullish()
    .catch(null),
});
export type Part = z.infer<typeof Part>;

export const Message = z.looseObject({
  info: z.looseObject({
    id: z.string(),
    role: z.string(),
    parentID: optional,
    finish: optional,
    time: z.looseObject({ completed: z.number().nullish().catch(null) }).catch({ completed: null }),
    error: Failure.nullish().catch(null),
  }),
  parts: z.array(Part).catch([]),
});
export type Message = z.infer<typeof Message>;

const Status = z.looseObject({
  type: z.string(),
  message: z.string().catch(""),
  next: z.number().nullish().catch(null),
  action: z
    .looseObject({ message: z.string().catch("") })
    .nullish()
    .catch(null),
});
export type Status = z.infer<typeof Status>;

/** The answer to `GET /session/status`: busy sessions. */
export const Statuses = z.record(z.string(), Status).catch({});

export const PermissionRequest = z.looseObject({
  id: z.string(),
  sessionID: z.string(),
  permission: z.string(),
  patterns: z.array(z.string()).catch([]),
  always: z.array(z.string()).catch([]),
  metadata: fields,
  tool: z.looseObject({ callID: z.string() }).nullish().catch(null),
});
export type PermissionRequest = z.infer<typeof PermissionRequest>;

export const QuestionRequest = z.looseObject({
  id: z.string(),
  sessionID: z.string(),
  questions: z.array(
    z.looseObject({
      question: z.string(),
      options: z.array(z.looseObject({ label: z.string(), description: optional })).catch([]),
      /** Free text is an answer too. */
      custom: z.boolean().catch(true),
    }),
  ),
});
export type QuestionRequest = z.infer<typeof QuestionRequest>;

const Tokens = z.looseObject({
  input: z.number(),
  output: z.number(),
  reasoning: z.number().catch(0),
  cache: z.looseObject({ read: z.number().catch(0), write: z.number().catch(0) }).catch({ read: 0, write: 0 }),
});

/** A session with its total usage; its sub-agents have their own sessions. */
export const Session = z.looseObject({
  id: z.string(),
  cost: z.number().catch(0),
  tokens: Tokens.nullish().catch(null),
  model: z.looseObject({ id: z.string(), providerID: z.string() }).nullish().catch(null),
});
export type Session = z.infer<typeof Session>;

const inSession = { sessionID: z.string() };
const Replied = z.looseObject({ ...inSession, requestID: z.string() });

const Event = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("session.created"),
    properties: z.looseObject({ ...inSession, info: z.looseObject({ parentID: optional }) }),
  }),
  z.looseObject({ type: z.literal("session.status"), properties: z.looseObject({ ...inSession, status: Status }) }),
  z.looseObject({
    type: z.literal("session.error"),
    properties: z.looseObject({ ...inSession, error: Failure.nullish().catch(null) }),
  }),
  z.looseObject({ type: z.literal("session.compacted"), properties: z.looseObject(inSession) }),
  z.looseObject({ type: z.literal("message.part.updated"), properties: z.looseObject({ ...inSession, part: Part }) }),
  z.looseObject({ type: z.literal("permission.asked"), properties: PermissionRequest }),
  z.looseObject({ type: z.literal("permission.replied"), properties: Replied }),
  z.looseObject({ type: z.literal("question.asked"), properties: QuestionRequest }),
  z.looseObject({ type: z.literal("question.replied"), properties: Replied }),
  z.looseObject({ type: z.literal("question.rejected"), properties: Replied }),
]);
export type Event = z.infer<typeof Event>;

/** Irrelevant session events; other events or the records contain the same. */
const IGNORED = [
  "command.executed",
  "message.part.delta",
  "message.part.removed",
  "message.removed",
  "message.updated",
  "session.created",
  "session.deleted",
  "session.diff",
  "session.idle",
  "session.updated",
  "todo.updated",
];

const Named = z.looseObject({ type: z.string(), properties: z.looseObject(inSession) });

/** An unknown session event. */
export interface UnknownEvent extends UnknownNotice {
  readonly sessionID: string;
}

/** Parses an event; null if it is irrelevant, as are all events outside a session. */
export function parseEvent(value: unknown): Event | UnknownEvent | null {
  const event = Event.safeParse(value).data;
  if (event !== undefined) return event;
  const named = Named.safeParse(value).data;
  if (named === undefined || IGNORED.includes(named.type)) return null;
  return { kind: named.type, body: value, sessionID: named.properties.sessionID };
}

/** Is it an unknown event? */
export function isUnknown(event: Event | UnknownEvent): event is UnknownEvent {
  return !("type" in event);
}

/** The answer to `GET /config/providers`. */
export const Providers = z.looseObject({
  providers: z.array(z.looseObject({ id: z.string(), models: z.record(z.string(), z.unknown()).catch({}) })).catch([]),
});

/** The answer to `GET /config`. */
export const Config = z.looseObject({ permission: z.unknown().optional() });
