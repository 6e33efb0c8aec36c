import type { QuestionDetail } from "../../../core/question.ts";
import type { ToolResult, ToolUse } from "../../driver.ts";
import { diffOf } from "../../kit/file-diff.ts";
import { describeTool, type Tool } from "../../kit/tool.ts";
import type { ToolCall } from "./messages.ts";

/** Merges a message into what is known; agents report a call in pieces, and its question contains the least. */
export function mergeTool(known: Tool | undefined, call: ToolCall, isCommandInTitle: boolean): Tool {
  const title = call.title || known?.title || "";
  const kind = call.kind || known?.kind || "other";
  const input = readInput(call);
  const paths = [...(known?.paths ?? []), ...readPaths(call, input)];
  return {
    id: call.toolCallId,
    title,
    kind,
    status: call.status || known?.status || "pending",
    command: readCommand(input) ?? known?.command ?? (isCommandInTitle && kind === "execute" ? title || null : null),
    paths: [...new Set(paths)],
    detail: readDetail(call, input) ?? known?.detail ?? null,
  };
}

// The diff if there is one; otherwise the call's content, or its whole input.
function readDetail({ content }: ToolCall, input: Input): QuestionDetail<string> | null {
  const parts = content ?? [];
  const changes = parts.flatMap(({ type, path, oldText, newText }) =>
    type === "diff" ? [{ path: path ?? "a file", before: oldText ?? null, after: newText ?? "" }] : [],
  );
  if (changes.length > 0) return { format: "diff", text: changes.map(diffOf).join("\n") };
  const texts = parts.flatMap((part) => part.content?.text || []);
  if (texts.length > 0) return { format: "text", text: texts.join("\n") };
  return Object.keys(input).length === 0 ? null : { format: "text", text: JSON.stringify(input, null, 2) };
}

/** A tool as the transcript shows it. */
export function toToolUse(tool: Tool): ToolUse {
  const name = tool.kind === "other" ? "tool" : tool.kind;
  return { id: tool.id, name, title: describeTool(tool), input: null };
}

/** The result of a finished call: its output, texts and diffs. */
export function toToolResult(tool: Tool, call: ToolCall): ToolResult {
  const texts = (call.content ?? []).map(({ type, path, oldText, newText, content }) =>
    type === "diff" ? [path ?? "", ...signed("-", oldText), ...signed("+", newText)].join("\n") : (content?.text ?? ""),
  );
  const present = texts.filter((text) => text !== "");
  const text = present.length > 0 ? present.join("\n") : describeOutput(call.rawOutput);
  return { ok: tool.status !== "failed", text };
}

function signed(sign: string, text: string | null | undefined): readonly string[] {
  return text
    ? text
        .trimEnd()
        .split("\n")
        .map((line) => `${sign} ${line}`)
    : [];
}

function describeOutput(output: unknown): string {
  if (typeof output === "string") return output;
  if (!isFields(output)) return "";
  const { output: text, stdout } = output;
  const found = [text, stdout].find((value) => typeof value === "string");
  return typeof found === "string" ? found : JSON.stringify(output);
}

type Input = Readonly<Record<string, unknown>>;

function readInput(call: ToolCall): Input {
  if (isFields(call.rawInput)) return call.rawInput;
  // Kimi sends the arguments as text.
  const texts = (call.content ?? []).map(({ content }) => content?.text ?? "");
  return texts.map(parseFields).find((fields) => fields !== null) ?? {};
}

function readCommand(input: Input): string | null {
  const { command, cmd } = input;
  const found = command ?? cmd;
  if (Array.isArray(found)) return found.join(" ");
  return typeof found === "string" && found !== "" ? found : null;
}

const PATH_NAMES = [
  "path",
  "file_path",
  "filePath",
  "filepath",
  "absolute_path",
  "abs_path",
  "fileName",
  "notebook_path",
];

function readPaths(call: ToolCall, input: Input): readonly string[] {
  const named = PATH_NAMES.map((name) => input[name]).filter((value) => typeof value === "string");
  const edited = (call.content ?? []).flatMap(({ type, path }) => (type === "diff" && path ? [path] : []));
  return [...(call.locations ?? []).map(({ path }) => path), ...edited, ...named];
}

function isFields(value: unknown): value is Input {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseFields(text: string): Input | null {
  if (!text.startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}
