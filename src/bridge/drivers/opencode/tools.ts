import { isAbsolute } from "node:path";
import type { ToolResult, ToolUse } from "../../driver.ts";
import type { Tool } from "../../kit/tool.ts";
import type { Part, PermissionRequest } from "./messages.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The tool that needs permission, in the policy's terms; `input` is that of its call, if known. */
export function toTool(request: PermissionRequest, input: Fields): Tool {
  const { id, permission, patterns, metadata } = request;
  const known = { id, title: "", status: "pending", command: null, paths: [] };
  const command = textOf(metadata["command"]) ?? textOf(input["command"]);
  switch (permission) {
    case "bash":
      return { ...known, kind: "execute", title: "a command", command };
    case "external_directory":
      return command === null
        ? { ...known, kind: "read", title: "leave the workspace", paths: patterns }
        : { ...known, kind: "execute", command };
    case "edit":
      return { ...known, kind: "edit", title: "edit", paths: editedPaths(request), detail: readDiff(metadata, input) };
    case "read":
      return { ...known, kind: "read", title: "read", paths: [textOf(input["filePath"]) ?? patterns[0] ?? ""] };
    case "webfetch":
      return { ...known, kind: "fetch", title: `fetch ${textOf(metadata["url"]) ?? patterns.join(" ")}` };
    default:
      return {
        ...known,
        kind: "other",
        detail: Object.keys(input).length === 0 ? null : { format: "text", text: JSON.stringify(input, null, 2) },
        title: [permission, ...patterns.filter((pattern) => pattern !== "*")].join(" "),
      };
  }
}

function readDiff(metadata: Fields, input: Fields): NonNullable<Tool["detail"]> | null {
  const diff = textOf(metadata["diff"]);
  if (diff !== null) return { format: "diff", text: diff };
  const change = describeChange(input);
  return change === null ? null : { format: "text", text: change };
}

// Several files come as a separate list; the patterns are relative to the repository.
function editedPaths({ patterns, metadata }: PermissionRequest): readonly string[] {
  const files = Array.isArray(metadata["files"]) ? (metadata["files"] as readonly (Fields | null)[]) : [];
  const listed = files.flatMap((file) =>
    [file?.["filePath"], file?.["movePath"]].flatMap((path) => textOf(path) ?? []),
  );
  if (listed.length > 0) return listed;
  const path = textOf(metadata["filepath"]);
  return path !== null && isAbsolute(path) ? [path] : patterns;
}

/** A call on one line, for people. */
export function describeCall({ tool, state }: Part): string {
  const input: Fields = state?.input ?? {};
  const command = textOf(input["command"]);
  if (command !== null) return command;
  const about = ["filePath", "path", "url", "pattern", "query", "description", "name"].map((name) =>
    textOf(input[name]),
  );
  return [tool ?? "a tool", about.find((text) => text !== null) ?? ""].join(" ").trim();
}

/** A call as the transcript shows it. */
export function toToolUse(part: Part): ToolUse {
  const name = part.tool ?? "tool";
  const what = describeCall(part);
  const title = what.startsWith(`${name} `) ? what.slice(name.length + 1) : what;
  return { id: part.id, name, title, input: describeChange(part.state?.input ?? {}) };
}

/** The result of a call; null if it is not over. */
export function toToolResult({ state }: Part): ToolResult | null {
  if (state?.status === "completed") return { ok: true, text: state.output ?? "" };
  return state?.status === "error" ? { ok: false, text: state.error ?? "" } : null;
}

// What a call writes is more than the file name.
function describeChange(input: Fields): string | null {
  const before = textOf(input["oldString"]);
  const after = textOf(input["newString"]);
  if (before === null && after === null) return textOf(input["content"]) ?? textOf(input["patchText"]);
  return [...signed("-", before), ...signed("+", after)].join("\n");
}

function signed(sign: string, text: string | null): readonly string[] {
  return text === null ? [] : text.split("\n").map((line) => `${sign} ${line}`);
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
