import { z } from "zod";

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

/** What the program prints, as far as it matters here; everything else is passed over. */
const CursorEvent = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("system"), model: z.string().nullish().catch(null) }),
  z.looseObject({ type: z.literal("user") }),
  z.looseObject({ type: z.literal("assistant"), message: Message }),
  z.looseObject({
    type: z.literal("tool_call"),
    subtype: z.string().catch(""),
    tool_call: z.record(z.string(), z.unknown()).catch({}),
  }),
  Result,
]);
export type CursorEvent = z.infer<typeof CursorEvent>;

/** Reads a line of the program; null for what is not known. */
export function parseEvent(line: string): CursorEvent | null {
  try {
    return CursorEvent.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

/** A tool and what it is about, for people: `shell: npm test`. */
export function describeTool(call: Readonly<Record<string, unknown>>): string {
  const [key = "tool", value] = Object.entries(call)[0] ?? [];
  const { args, name, arguments: text } = Tool.parse(value);
  const first = ["command", "path", "pattern", "query", "url"].map((field) => args[field]).find(isText);
  return `${name ?? key.replace(/ToolCall$/, "")}: ${first ?? text ?? JSON.stringify(args)}`;
}

const Tool = z
  .looseObject({
    args: z.record(z.string(), z.unknown()).catch({}),
    name: z.string().optional().catch(undefined),
    arguments: z.string().optional().catch(undefined),
  })
  .catch({ args: {} });

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
