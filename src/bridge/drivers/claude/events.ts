import { z } from "zod";

const Block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  tool_use_id: z.string().optional(),
  content: z.unknown().optional(),
  is_error: z.boolean().optional(),
});
export type Block = z.infer<typeof Block>;

export const Blocks = z.union([z.array(Block), z.string().transform((text): Block[] => [{ type: "text", text }])]);

const Tokens = z.looseObject({
  input_tokens: z.number().catch(0),
  output_tokens: z.number().catch(0),
  cache_read_input_tokens: z.number().catch(0),
  cache_creation_input_tokens: z.number().catch(0),
});
export type Tokens = z.infer<typeof Tokens>;

const ModelUsage = z.looseObject({
  inputTokens: z.number().catch(0),
  outputTokens: z.number().catch(0),
  cacheReadInputTokens: z.number().catch(0),
  cacheCreationInputTokens: z.number().catch(0),
  costUSD: z.number().catch(0),
});

const Result = z.looseObject({
  type: z.literal("result"),
  subtype: z.string().catch(""),
  is_error: z.boolean().catch(false),
  result: z.string().catch(""),
  errors: z.array(z.string()).catch([]),
  terminal_reason: z.string().nullish().catch(null),
  api_error_status: z.number().nullish().catch(null),
  total_cost_usd: z.number().catch(0),
  usage: Tokens.nullish().catch(null),
  /** By model; since 2.1.2xx. */
  model_usage_since_last_result: z.record(z.string(), ModelUsage).nullish().catch(null),
  user_message_uuids: z.array(z.string()).catch([]),
});
export type Result = z.infer<typeof Result>;

const Suggestion = z.looseObject({ type: z.string(), destination: z.string().optional() });

const ToolRequest = z.looseObject({
  subtype: z.literal("can_use_tool"),
  tool_name: z.string(),
  input: z.record(z.string(), z.unknown()).catch({}),
  tool_use_id: z.string().optional(),
  permission_suggestions: z.array(Suggestion).catch([]),
});
export type ToolRequest = z.infer<typeof ToolRequest>;

/** The parts of the program's output that we use. */
const RateWindow = z.looseObject({ utilization: z.number(), resetsAt: z.number().nullish().catch(null) });

const ClaudeEvent = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("assistant"),
    message: z.looseObject({ id: z.string().catch(""), model: z.string().catch(""), content: Blocks.catch([]) }),
    parent_tool_use_id: z.string().nullish().catch(null),
  }),
  z.looseObject({
    type: z.literal("user"),
    uuid: z.string().optional(),
    isReplay: z.boolean().catch(false),
    message: z.looseObject({ content: Blocks.catch([]) }),
  }),
  z.looseObject({
    type: z.literal("system"),
    subtype: z.string().catch(""),
    error_status: z.number().nullish().catch(null),
    error: z.string().catch(""),
    attempt: z.number().catch(0),
    max_retries: z.number().catch(0),
    retry_delay_ms: z.number().catch(0),
  }),
  z.looseObject({
    type: z.literal("command_lifecycle"),
    command_uuid: z.string(),
    state: z.string(),
  }),
  z.looseObject({
    type: z.literal("rate_limit_event"),
    rate_limit_info: z.looseObject({
      status: z.string().catch(""),
      resetsAt: z.number().optional(),
      rateLimitType: z.string().optional().catch(undefined),
      utilization: z.number().optional().catch(undefined),
      unifiedWindows: z.record(z.string(), RateWindow.nullish().catch(null)).nullish().catch(null),
    }),
  }),
  z.looseObject({
    type: z.literal("control_request"),
    request_id: z.string(),
    request: z.union([ToolRequest, z.looseObject({ subtype: z.string().catch("") })]),
  }),
  z.looseObject({ type: z.literal("control_cancel_request"), request_id: z.string() }),
  z.looseObject({
    type: z.literal("control_response"),
    response: z.looseObject({ subtype: z.string(), request_id: z.string().catch(""), error: z.string().optional() }),
  }),
  Result,
]);
export type ClaudeEvent = z.infer<typeof ClaudeEvent>;
export type EventOf<T extends ClaudeEvent["type"]> = Extract<ClaudeEvent, { readonly type: T }>;

/** A line of the program: an event, an unknown message, or nothing relevant. */
export type Line =
  | { readonly kind: "event"; readonly event: ClaudeEvent }
  | { readonly kind: "unknown"; readonly type: string; readonly body: unknown }
  | { readonly kind: "unused" };

/** Kinds of messages that we do not need, from the types of the program's SDK 0.3.325. */
const UNUSED = [
  ...["stream_event", "tool_progress", "auth_status", "tool_use_summary", "prompt_suggestion"],
  ...["conversation_reset", "active_goal", "keep_alive"],
];

/** Parses a line of the program. */
export function parseLine(line: string): Line {
  const body = parseJson(line);
  const event = ClaudeEvent.safeParse(body).data;
  if (event !== undefined) return { kind: "event", event };
  const type = z.looseObject({ type: z.string() }).safeParse(body).data?.type;
  return type === undefined || UNUSED.includes(type) ? { kind: "unused" } : { kind: "unknown", type, body };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** Does it ask about a tool? A request whose fields are not as documented does not: nobody could answer it. */
export function isToolRequest(request: EventOf<"control_request">["request"]): request is ToolRequest {
  return ToolRequest.safeParse(request).success;
}
