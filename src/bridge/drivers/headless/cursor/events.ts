import { z } from "zod";
import type { ToolResult, ToolUse, UnknownNotice } from "../../../driver.ts";

const Message = z.looseObject({
  content: z.array(z.looseObject({ type: z.string().catch(""), text: z.string().catch("") })).catch([]),
});

const Tokens = z.looseObject({
  inputTokens: z.number().catch(0),
  outputTokens: z.number().catch(0),
  cacheReadTokens: z.number().catch(0),
  cacheWriteTokens: z.number().catch(0),
});

const Result = z.looseObject({
  type: z.literal("result"),
  is_error: z.boolean().catch(false),
  result: z.string().catch(""),
  /** In newer versions. */
  usage: Tokens.nullish().catch(null),
});
export type Result = z.infer<typeof Result>;

/** The parts of the program's output that we use; the rest is ignored. */
const CursorEvent = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("system"), model: z.string().nullish().catch(null) }),
  z.looseObject({ type: z.literal("user") }),
  z.looseObject({ type: z.literal("assistant"), message: Message }),
  z.looseObject({
    type: z.literal("tool_call"),
    subtype: z.string().catch(""),
    call_id: z.string().catch(""),
    tool_call: z.record(z.string(), z.unknown()).catch({}),
  }),
  Result,
]);
export type CursorEvent = z.infer<typeof CursorEvent>;
export type ToolEvent = Extract<CursorEvent, { readonly type: "tool_call" }>;

/** Irrelevant events. */
const IGNORED = ["thinking"];

const Named = z.looseObject({ type: z.string() });

/** Parses a line of the program: null if it is not an event or is irrelevant. */
export function parseEvent(line: string): CursorEvent | UnknownNotice | null {
  const value = parseJson(line);
  const event = CursorEvent.safeParse(value).data;
  if (event !== undefined) return event;
  const kind = Named.safeParse(value).data?.type;
  return kind === undefined || IGNORED.includes(kind) ? null : { kind, body: value };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** A tool and its subject, for people: `shell: npm test`. */
export function describeTool(call: Call): string {
  const { name, title } = toToolUse("", call);
  return `${name}: ${title}`;
}

/** A tool as the transcript shows it. */
export function toToolUse(id: string, call: Call): ToolUse {
  const [key = "tool", value] = Object.entries(call)[0] ?? [];
  const { args, name, arguments: text } = Tool.parse(value);
  const title = ["command", "path", "pattern", "query", "url"].map((field) => args[field]).find(isText);
  const input = ["fileText", "contents", "content"].map((field) => args[field]).find(isText) ?? null;
  return { id, name: name ?? key.replace(/ToolCall$/, ""), title: title ?? text ?? JSON.stringify(args), input };
}

/** The result of a tool, in the program's own words if it has any. */
export function toToolResult(call: Call): ToolResult {
  const { result } = Tool.parse(Object.values(call)[0]);
  const [[outcome, value] = ["success", ""]] = Object.entries(result);
  const fields = (typeof value === "object" && value !== null ? value : {}) as Call;
  const found = ["stdout", "content", "output", "message", "error", "stderr"].map((field) => fields[field]);
  const text =
    found.find(isText) ?? (isText(value) ? value : Object.keys(fields).length === 0 ? "" : JSON.stringify(value));
  return { ok: outcome === "success" && (fields["exitCode"] ?? 0) === 0, text };
}

type Call = Readonly<Record<string, unknown>>;

const Tool = z
  .looseObject({
    result: z.record(z.string(), z.unknown()).catch({}),
    args: z.record(z.string(), z.unknown()).catch({}),
    name: z.string().optional().catch(undefined),
    arguments: z.string().optional().catch(undefined),
  })
  .catch({ args: {}, result: {} });

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
