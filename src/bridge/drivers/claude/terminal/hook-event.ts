import { z } from "zod";

const HookEvent = z.looseObject({
  hook_event_name: z.string(),
  session_id: z.string().catch(""),
  source: z.string().catch(""),
  prompt: z.string().catch(""),
  tool_name: z.string().catch(""),
  tool_input: z.record(z.string(), z.unknown()).catch({}),
  tool_use_id: z.string().optional().catch(undefined),
  permission_suggestions: z.array(z.looseObject({ type: z.string() })).catch([]),
  last_assistant_message: z.string().catch(""),
  error: z.string().catch(""),
  error_details: z.string().catch(""),
});
/** What Claude Code tells a hook, as far as it matters here. */
export type HookEvent = z.infer<typeof HookEvent>;

/** Reads an event; null for what is none. */
export function parseHookEvent(text: string): HookEvent | null {
  try {
    return HookEvent.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
