import type { ToolUse } from "../../driver.ts";
import type { ReportCall } from "../../kit/reducer.ts";
import type { Block, EventOf } from "./events.ts";
import { describeTool } from "./permission.ts";

/** Reports what the agent says and does. */
export function narrate(blocks: readonly Block[]): readonly ReportCall[] {
  return blocks.flatMap(({ type, text, id, name = "tool", input }): readonly ReportCall[] => {
    if (type === "text" && text) return [["said", text]];
    if (type !== "tool_use") return [];
    const what = describeTool(name, input);
    return [
      ["tool", toToolUse(id ?? what, name, input)],
      ["working", what.split("\n")[0]],
    ];
  });
}

/** Reports tool results, which go back to the model as a user message. */
export function narrateResults(blocks: readonly Block[]): readonly ReportCall[] {
  return blocks.flatMap(({ type, tool_use_id: id, content, is_error: isError }): readonly ReportCall[] =>
    type === "tool_result" && id !== undefined
      ? [["toolResult", id, { ok: isError !== true, text: textOf(content) }]]
      : [],
  );
}

/** A tool as the transcript shows it. */
export function toToolUse(id: string, name: string, input: unknown): ToolUse {
  const what = describeTool(name, input);
  const title = what.startsWith(`${name}: `) ? what.slice(name.length + 2) : what;
  return { id, name, title, input: describeChange(input) };
}

// What a tool writes is more than the file name.
function describeChange(input: unknown): string | null {
  const { content, old_string: before, new_string: after } = (input ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof content === "string" && content !== "") return content;
  if (typeof before !== "string" || typeof after !== "string") return null;
  return [...prefixed("-", before), ...prefixed("+", after)].join("\n");
}

function prefixed(sign: string, text: string): readonly string[] {
  return text === "" ? [] : text.split("\n").map((line) => `${sign} ${line}`);
}

// A tool's result is a string or a list of blocks.
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return content == null ? "" : JSON.stringify(content);
  return content
    .map((block: { readonly type?: unknown; readonly text?: unknown } | null) =>
      typeof block?.text === "string" ? block.text : `[${typeof block?.type === "string" ? block.type : "block"}]`,
    )
    .join("\n");
}

/** A model request failed and will be retried. */
export function narrateRetry(event: EventOf<"system">, now: number): readonly ReportCall[] {
  if (event.subtype !== "api_retry") return [];
  const { error_status: status, error, attempt, max_retries: of, retry_delay_ms: delay } = event;
  const answer = status === null || status === undefined ? "no answer" : `HTTP ${status}`;
  const note = `${answer} from the model service (${error}); retry ${attempt} of ${of}`;
  const next = new Date(now + delay);
  if (status === 429) return [["limited", next, note]];
  return [typeof status === "number" && status < 500 ? ["working", note] : ["limited", next, note, "outage"]];
}
