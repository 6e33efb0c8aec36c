import { z } from "zod";
import { UNUSED_NOTICES } from "./unused.ts";

/** The parts of `codex app-server` that we use, parsed permissively. */
const optional = z.string().nullish().catch(null);

const Item = z.looseObject({
  type: z.string(),
  id: z.string().catch(""),
  /** For our message: the id it was sent with. */
  clientId: optional,
  text: optional,
  /** For a message to the agent. */
  content: z.array(z.looseObject({ text: optional })).catch([]),
  command: optional,
  /** For a command: completed, failed, declined ... */
  status: optional,
  aggregatedOutput: optional,
  exitCode: z.number().nullish().catch(null),
  changes: z
    .array(
      z.looseObject({
        path: z.string(),
        diff: optional,
        // The target, if the file is moved.
        kind: z.looseObject({ type: optional, move_path: optional }).nullish().catch(null),
      }),
    )
    .catch([]),
  server: optional,
  tool: optional,
  arguments: z.unknown().optional(),
  result: z
    .looseObject({ content: z.array(z.looseObject({ text: optional })).catch([]) })
    .nullish()
    .catch(null),
  error: z
    .looseObject({ message: z.string().catch("") })
    .nullish()
    .catch(null),
  query: optional,
});
export type Item = z.infer<typeof Item>;

const TurnError = z.looseObject({ message: z.string().catch(""), codexErrorInfo: z.unknown().optional() });
export type TurnError = z.infer<typeof TurnError>;

const Turn = z.looseObject({
  id: z.string(),
  status: z.string().catch(""),
  items: z.array(Item).catch([]),
  error: TurnError.nullish().catch(null),
});
export type Turn = z.infer<typeof Turn>;

const inThread = { threadId: z.string() };

const Window = z.looseObject({
  usedPercent: z.number().catch(0),
  windowDurationMins: z.number().nullish().catch(null),
  resetsAt: z.number().nullish().catch(null),
});

const RateLimits = z.looseObject({ primary: Window.nullish().catch(null), secondary: Window.nullish().catch(null) });
export type RateLimits = z.infer<typeof RateLimits>;

const Notice = z.discriminatedUnion("method", [
  z.looseObject({ method: z.literal("turn/started"), params: z.looseObject({ ...inThread, turn: Turn }) }),
  z.looseObject({ method: z.literal("turn/completed"), params: z.looseObject({ ...inThread, turn: Turn }) }),
  z.looseObject({ method: z.literal("item/started"), params: z.looseObject({ ...inThread, item: Item }) }),
  z.looseObject({ method: z.literal("item/completed"), params: z.looseObject({ ...inThread, item: Item }) }),
  z.looseObject({
    method: z.literal("error"),
    params: z.looseObject({ ...inThread, error: TurnError, willRetry: z.boolean().catch(false) }),
  }),
  z.looseObject({
    method: z.literal("thread/tokenUsage/updated"),
    params: z.looseObject({
      ...inThread,
      tokenUsage: z.looseObject({
        // The input includes cached tokens.
        total: z.looseObject({
          inputTokens: z.number(),
          cachedInputTokens: z.number().catch(0),
          outputTokens: z.number(),
        }),
      }),
    }),
  }),
  z.looseObject({
    method: z.literal("account/rateLimits/updated"),
    params: z.looseObject({ threadId: z.null().default(null), rateLimits: RateLimits }),
  }),
  z.looseObject({
    method: z.literal("serverRequest/resolved"),
    params: z.looseObject({ threadId: z.null().catch(null), requestId: z.union([z.string(), z.number()]) }),
  }),
]);
export type Notice = z.infer<typeof Notice>;

/** A parsed notification: news about our thread, something irrelevant, or something unknown. */
export type Read = { readonly kind: "notice"; readonly notice: Notice } | { readonly kind: "unused" | "unknown" };

/** Parses a notification; those of other threads, such as sub-agents, are irrelevant. */
export function readNotification(method: string, params: unknown, threadId: string | null): Read {
  const notice = Notice.safeParse({ method, params }).data;
  if (notice === undefined) return { kind: UNUSED_NOTICES.has(method) ? "unused" : "unknown" };
  const isOurs = notice.params.threadId === null || notice.params.threadId === threadId;
  return isOurs ? { kind: "notice", notice } : { kind: "unused" };
}

/** The answer to `thread/start` and `thread/resume`. */
export const ThreadAnswer = z.looseObject({ thread: z.looseObject({ id: z.string() }), model: optional });

/** The answer to `turn/start`. */
export const TurnAnswer = z.looseObject({ turn: Turn });

/** The answer to `thread/turns/list`. */
export const TurnsPage = z.looseObject({ data: z.array(Turn), nextCursor: optional });
export type TurnsPage = z.infer<typeof TurnsPage>;

/** The answer to `config/read`. */
export const ConfigAnswer = z.looseObject({
  config: z.looseObject({
    sandbox_workspace_write: z
      .looseObject({ writable_roots: z.array(z.string()).catch([]) })
      .nullish()
      .catch(null),
    developer_instructions: z.string().nullish().catch(null),
  }),
});

/** A question about a command or file changes. */
export const ApprovalRequest = z.looseObject({
  itemId: z.string(),
  kind: z.string().catch("command"),
  command: optional,
  cwd: optional,
  reason: optional,
  networkApprovalContext: z.unknown().optional(),
  availableDecisions: z.array(z.unknown()).catch([]),
});
export type ApprovalRequest = z.infer<typeof ApprovalRequest>;

/** The agent's own questions. */
export const InputRequest = z.looseObject({
  questions: z.array(
    z.looseObject({
      id: z.string(),
      question: z.string(),
      options: z
        .array(z.looseObject({ label: z.string() }))
        .nullish()
        .catch(null),
    }),
  ),
});
export type InputRequest = z.infer<typeof InputRequest>;
