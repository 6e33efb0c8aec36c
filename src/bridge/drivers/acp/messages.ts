import { z } from "zod";
import type { UnknownNotice } from "../../driver.ts";

/** The parts of the Agent Client Protocol (version 1) that we use, parsed permissively. */
const optional = z.string().nullish().catch(null);

const Content = z.looseObject({
  type: z.string().catch(""),
  text: optional,
  path: optional,
  oldText: optional,
  newText: optional,
  content: z
    .looseObject({ type: z.string().catch(""), text: optional })
    .nullish()
    .catch(null),
});

const ToolCall = z.looseObject({
  toolCallId: z.string(),
  title: optional,
  kind: optional,
  status: optional,
  content: z.array(Content).nullish().catch(null),
  locations: z
    .array(z.looseObject({ path: z.string() }))
    .nullish()
    .catch(null),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
});
/** A tool call as one message reports it: only changed fields are present. */
export type ToolCall = z.infer<typeof ToolCall>;

const Tokens = z.looseObject({
  inputTokens: z.number(),
  outputTokens: z.number(),
  totalTokens: z.number().nullish().catch(null),
  cachedReadTokens: z.number().nullish().catch(null),
  cachedWriteTokens: z.number().nullish().catch(null),
});
/** Token counts, which may or may not include cached tokens. */
export type Tokens = z.infer<typeof Tokens>;

const Chunk = z.looseObject({
  content: z.looseObject({ type: z.string(), text: optional }),
  _meta: z
    .looseObject({ usage: Tokens.nullish().catch(null) })
    .nullish()
    .catch(null),
});

const Update = z.discriminatedUnion("sessionUpdate", [
  Chunk.extend({ sessionUpdate: z.literal("user_message_chunk") }),
  Chunk.extend({ sessionUpdate: z.literal("agent_message_chunk") }),
  Chunk.extend({ sessionUpdate: z.literal("agent_thought_chunk") }),
  ToolCall.extend({ sessionUpdate: z.literal("tool_call") }),
  ToolCall.extend({ sessionUpdate: z.literal("tool_call_update") }),
  z.looseObject({
    sessionUpdate: z.literal("plan"),
    entries: z.array(z.looseObject({ content: z.string(), status: z.string().catch("pending") })),
  }),
  z.looseObject({ sessionUpdate: z.literal("notice"), title: z.string(), description: optional }),
  z.looseObject({ sessionUpdate: z.literal("current_mode_update"), currentModeId: z.string() }),
  z.looseObject({
    sessionUpdate: z.literal("usage_update"),
    cost: z.looseObject({ amount: z.number(), currency: z.string() }).nullish().catch(null),
  }),
]);
export type Update = z.infer<typeof Update>;

/** Updates of the protocol that `ao` ignores. */
const IGNORED = [
  "available_commands_update",
  "compaction_summary_chunk",
  "compaction_update",
  "config_option_update",
  "session_info_update",
];

const Notice = z.looseObject({ sessionId: z.string(), update: z.looseObject({ sessionUpdate: z.string() }) });

/** Parses a session update: null if it is irrelevant, `unknown` if it does not follow the protocol. */
export function parseUpdate(params: unknown, sessionId: string | null): Update | UnknownNotice | null {
  const notice = Notice.safeParse(params).data;
  if (notice === undefined) return { kind: "session/update", body: params };
  if (notice.sessionId !== sessionId || IGNORED.includes(notice.update.sessionUpdate)) return null;
  return Update.safeParse(notice.update).data ?? { kind: notice.update.sessionUpdate, body: notice.update };
}

const PermissionRequest = z.looseObject({
  toolCall: ToolCall,
  options: z.array(z.looseObject({ optionId: z.string(), name: z.string(), kind: z.string().catch("") })),
});
export type PermissionRequest = z.infer<typeof PermissionRequest>;

export function parsePermissionRequest(params: unknown): PermissionRequest | null {
  return PermissionRequest.safeParse(params).data ?? null;
}

export const Initialized = z.looseObject({
  protocolVersion: z.number(),
  agentCapabilities: z
    .looseObject({ loadSession: z.boolean().catch(false) })
    .nullish()
    .catch(null),
});

const Choice = z.looseObject({ value: z.string() });

/** The answer to `session/new` and `session/load`. */
export const SessionState = z.looseObject({
  sessionId: optional,
  modes: z
    .looseObject({ availableModes: z.array(z.looseObject({ id: z.string() })), currentModeId: optional })
    .nullish()
    .catch(null),
  models: z
    .looseObject({ availableModels: z.array(z.looseObject({ modelId: z.string() })), currentModelId: optional })
    .nullish()
    .catch(null),
  configOptions: z
    .array(
      z.looseObject({
        id: z.string(),
        category: optional,
        currentValue: z.unknown().optional(),
        // Choices may be grouped.
        options: z
          .array(z.union([Choice, z.looseObject({ options: z.array(Choice) })]))
          .nullish()
          .catch(null),
      }),
    )
    .nullish()
    .catch(null),
});
export type SessionState = z.infer<typeof SessionState>;

const Count = z.looseObject({ input_tokens: z.number().catch(0), output_tokens: z.number().catch(0) });

const ModelCount = z.looseObject({ model: z.string(), token_count: Count });

/** The answer to `session/prompt`. */
export const PromptAnswer = z.looseObject({
  stopReason: z.string().catch("end_turn"),
  usage: Tokens.nullish().catch(null),
  // Gemini's own form.
  _meta: z
    .looseObject({
      quota: z
        .looseObject({
          token_count: Count.nullish().catch(null),
          model_usage: z.array(ModelCount).nullish().catch(null),
        })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
});
export type PromptAnswer = z.infer<typeof PromptAnswer>;
