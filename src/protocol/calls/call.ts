import { z } from "zod";
import type { ErrorCode } from "../../core/errors.ts";
import type { Scope } from "../choices.ts";

export const TAGS = {
  sessions: "Sessions: one task, one agent, one worktree.",
  "pull requests": "Pull requests, their checks and reviews.",
  projects: "Projects and their issues.",
  fleet: "All sessions together: inbox, pause, costs.",
  streams: "Live streams of data.",
  configuration: "The configuration files that the daemon uses.",
  daemon: "The daemon, and who may call it.",
} as const;

export interface Described {
  /** One sentence, imperative. */
  readonly summary: string;
  readonly tag: keyof typeof TAGS;
  /** null: no authentication required. */
  readonly scope: Scope | null;
  /** A session may call it with its own token, about itself. */
  readonly own?: true;
  /** In addition to those that any call can return. */
  readonly errors: readonly ErrorCode[];
  readonly query?: z.ZodObject;
  /** It only reads, although its input needs a body. */
  readonly changesNothing?: true;
}

/** A call; its key in the table is its method and path. */
export interface CallSpec extends Described {
  readonly body?: z.ZodObject;
  readonly answer: z.ZodType;
  readonly status?: 201 | 202;
  /** The body is foreign, signed JSON; the handler parses it. */
  readonly isSigned?: true;
  /** Rejected unless `If-Match` names the version that the caller has seen. */
  readonly ifMatch?: true;
}

/** A call that answers with a stream of server-sent events. */
export interface StreamSpec extends Described {
  /** The data of each event. */
  readonly event: z.ZodType;
  /** What a client can rely on: order, repetition, resuming, back-pressure. */
  readonly delivery: string;
}

/** A call that answers with text of this content type. */
export interface TextSpec extends Described {
  readonly media: string;
}

export type CallTable = Readonly<Record<`${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`, CallSpec>>;
export type StreamTable = Readonly<Record<`GET /${string}`, StreamSpec>>;
export type TextTable = Readonly<Record<`GET /${string}`, TextSpec>>;

/** A list of views. */
export function listOf<Item extends z.ZodType>(item: Item): z.ZodObject<{ data: z.ZodArray<Item> }> {
  return z.object({ data: z.array(item) });
}

/** The cursor in a list's answer if there is more. */
export const next = z
  .string()
  .exactOptional()
  .describe("Send it as `cursor` for the following page; absent: this is the last one.");

/** A page of a list of views. */
export function pageOf<Item extends z.ZodType>(item: Item): z.ZodObject<{ data: z.ZodArray<Item>; next: typeof next }> {
  return z.object({ data: z.array(item), next });
}

/** Query parameters of a list that can grow. */
export const paging = {
  limit: z.coerce.number<number>().int().min(1).exactOptional().describe("Entries per page; default: all."),
  cursor: z.string().exactOptional().describe("The `next` of the page before."),
};

/** A query parameter that is a whole number. */
export function count(): z.ZodCoercedNumber<number> {
  return z.coerce.number<number>().int().min(0);
}

const WORDS: Readonly<Record<string, boolean>> = { true: true, "1": true, false: false, "0": false };

/** A query parameter that is true or false. */
export const flag = z.preprocess((value) => WORDS[String(value)] ?? value, z.boolean()) as unknown as z.ZodBoolean;

/** A query parameter that also accepts the words of older versions. */
export function aliasOf<Schema extends z.ZodType>(schema: Schema, words: Readonly<Record<string, string>>): Schema {
  return z.preprocess((value) => words[String(value)] ?? value, schema) as unknown as Schema;
}

/** A query parameter with a day in UTC. */
export const day = z.iso.date("not a day such as 2026-07-01").describe("A day in UTC, such as 2026-07-01.");
