import type { ToolResult, ToolUse } from "../../driver.ts";
import { unwrapShell } from "./command-line.ts";
import type { Item } from "./messages.ts";

/** The tool that an item is about, or null. */
export function toToolUse(item: Item): ToolUse | null {
  const { id, type, command, changes, server, tool, query } = item;
  switch (type) {
    case "commandExecution":
      return { id, name: "shell", title: unwrapShell(command ?? "a command"), input: null };
    case "fileChange":
      return { id, name: "edit", title: changes.map(({ path }) => path).join(" "), input: describeChanges(item) };
    case "mcpToolCall":
      return { id, name: server ?? "mcp", title: tool ?? "a tool", input: describeArguments(item.arguments) };
    case "webSearch":
      return { id, name: "search the web", title: query ?? "", input: null };
    default:
      return null;
  }
}

/** The tool on one line, for people. */
export function describeToolUse({ name, title }: ToolUse): string {
  return name === "shell" ? title : `${name}${name === "edit" ? " " : ": "}${title}`;
}

/** The tool result of a finished item. */
export function toToolResult({ status, aggregatedOutput, exitCode, result, error }: Item): ToolResult {
  const ok = (exitCode ?? 0) === 0 && !["failed", "declined"].includes(status ?? "");
  if (status === "declined") return { ok, text: "declined" };
  const output = aggregatedOutput ?? error?.message ?? result?.content.map(({ text }) => text ?? "").join("\n") ?? "";
  const code = exitCode === null || exitCode === undefined || exitCode === 0 ? "" : `exit code ${exitCode}`;
  return { ok, text: [output.trimEnd(), code].filter((part) => part !== "").join("\n") };
}

function describeChanges({ changes }: Item): string | null {
  const diffs = changes.flatMap(({ diff }) => diff ?? []);
  return diffs.length === 0 ? null : diffs.join("\n");
}

function describeArguments(given: unknown): string | null {
  return given === undefined || given === null ? null : JSON.stringify(given, null, 2);
}
