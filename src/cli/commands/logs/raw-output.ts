import type { Style } from "../../views/style.ts";

export interface RawOutput {
  /** Adds output and returns what can be shown so far: whole lines. */
  push(text: string): string;
  /** The last line, if it never ended. */
  end(): string;
}

/** Maximum length of a parsed line; a longer one is shown as is. */
const MAX_PROTOCOL_LINE = 64 * 1024;

/** Makes an agent's output readable: protocol lines as sentences, everything else through `show`. */
export function createRawOutput(style: Style, show: (text: string) => string): RawOutput {
  let rest = "";
  return {
    push(text) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      return lines.map((line) => showLine(line, style, show)).join("");
    },
    end() {
      const last = rest;
      rest = "";
      return last === "" ? "" : showLine(last, style, show);
    },
  };
}

function showLine(line: string, style: Style, show: (text: string) => string): string {
  const said = readProtocolLine(line);
  if (said === null) return `${show(line)}\n`;
  const sentence = describe(said, style, show);
  return sentence === null ? "" : `${sentence}\n`;
}

type Said = Readonly<Record<string, unknown>>;

/** The object of a protocol line, or null for ordinary output. */
function readProtocolLine(line: string): Said | null {
  if (!line.startsWith("{") || line.length > MAX_PROTOCOL_LINE) return null;
  try {
    const value = JSON.parse(line) as Said;
    return typeof value["type"] === "string" ? value : null;
  } catch {
    return null;
  }
}

/** A protocol line as a sentence; null: nothing for a person to read. */
function describe(said: Said, style: Style, show: (text: string) => string): string | null {
  const text = (value: unknown): string => show(textOf(value));
  const withNote = (value: unknown): string => (typeof value === "string" && value !== "" ? `: ${show(value)}` : "");
  switch (said["type"]) {
    case "status":
      return style.dim(`[${text(said["state"])}${withNote(said["note"])}]`);
    case "ask":
      return style.yellow(`[asks: ${text(said["question"])}${show(choices(said["choices"]))}]`);
    case "usage":
      return style.dim(`[used ${text(said["inputTokens"])} tokens in, ${text(said["outputTokens"])} out]`);
    case "done":
      return style.green(`[done${withNote(said["summary"])}]`);
    case "unask":
      return style.dim("[its question is no longer open]");
    case "held":
      return style.yellow(`[a message waits${withNote(said["reason"])}]`);
    case "say":
    case "prompt":
    case "note":
      return text(said["text"]);
    case "tool":
      return `* ${text(said["name"])}: ${text(said["title"])}`;
    case "tool-result":
      return text(said["text"]) || null;
    case "received":
    case "windows":
    case "conversation":
      return null;
    default:
      return show(JSON.stringify(said));
  }
}

function choices(value: unknown): string {
  return Array.isArray(value) && value.length > 0 ? ` (${value.map(textOf).join(" | ")})` : "";
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : value === undefined ? "?" : JSON.stringify(value);
}
