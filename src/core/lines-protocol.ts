import type { AgentSignal, AskedSignal } from "./agent-signal.ts";
import { type Fields, parseFields } from "./protocol-fields.ts";
import type { QuestionDetail } from "./question.ts";
import type { RateWindow } from "./rate-window.ts";

/** A message to an agent in the `lines` protocol. */
export interface LinesMessage {
  readonly id: string;
  readonly kind: "task" | "message" | "answer" | "resume" | "interrupt";
  /** Empty for an interrupt. */
  readonly text: string;
  /** 1 the first time; higher after the agent died. */
  readonly attempt: number;
}

/** A longer line is output, whatever it contains. */
export const MAX_LINE = 1024 * 1024;

/** The line that carries a message to an agent, with its newline. */
export function encodeMessage(message: LinesMessage): string {
  const body = { type: message.kind, id: message.id, ...contentOf(message) };
  return `${JSON.stringify(message.attempt > 1 ? { ...body, attempt: message.attempt } : body)}\n`;
}

function contentOf({ kind, text }: LinesMessage): Fields {
  if (kind === "interrupt") return {};
  return kind === "answer" ? { choice: text } : { text };
}

/** Decodes a line that carries a message; null for anything else. */
export function decodeMessage(line: string): LinesMessage | null {
  const fields = parseFields(line);
  const kind = oneOf(fields?.["type"], ["task", "message", "answer", "resume", "interrupt"] as const);
  const id = fields?.["id"];
  const text = kind === "interrupt" ? "" : fields?.[kind === "answer" ? "choice" : "text"];
  const attempt = fields?.["attempt"] ?? 1;
  if (kind === null || !isName(id) || typeof text !== "string") return null;
  if (typeof attempt !== "number" || !Number.isSafeInteger(attempt) || attempt < 1) return null;
  return { id, kind, text, attempt };
}

/** The line for an agent's signal, with its newline. */
export function encodeSignal(signal: AgentSignal): string {
  return `${JSON.stringify(toFields(signal))}\n`;
}

function toFields(signal: AgentSignal): Fields {
  const { kind, ...rest } = signal;
  if (signal.kind === "errored") return { type: "status", state: "errored", note: signal.reason };
  if (signal.kind === "limited") {
    const cause = signal.cause === undefined ? {} : { cause: signal.cause };
    return { type: "status", state: "rate-limited", until: timeText(signal.until), note: signal.reason, ...cause };
  }
  if (signal.kind === "windows") return { type: "windows", windows: signal.windows.map(windowFields) };
  if (signal.kind === "asked") return askFields(signal);
  if (signal.kind === "unasked") return { type: "unask", id: signal.id };
  if (signal.kind !== "status" || signal.note !== null) return { type: kind, ...rest };
  return { type: "status", state: signal.state };
}

function windowFields({ resetsAt, ...window }: RateWindow): Fields {
  return { ...window, resetsAt: timeText(resetsAt) };
}

// A time that a vendor computed may be impossible; then it is unknown.
function timeText(at: number | null): string | null {
  const time = new Date(at ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

function askFields({ kind, id, about, ...asked }: AskedSignal<string>): Fields {
  return { type: "ask", id, ...(about === undefined ? {} : { kind: about }), ...asked };
}

/** Decodes a line that an agent printed; anything outside the protocol is output. */
export function decodeSignal(line: string): AgentSignal | null {
  if (line.length > MAX_LINE) return null;
  const said = parseFields(line);
  switch (said?.["type"]) {
    case "status":
      return readStatus(said);
    case "conversation":
      return readConversation(said);
    case "ask":
      return readAsk(said);
    case "unask":
      return isName(said["id"]) ? { kind: "unasked", id: said["id"] } : null;
    case "held": {
      const { id, reason = "" } = said;
      return isName(id) && typeof reason === "string" ? { kind: "held", id, reason } : null;
    }
    case "refused":
    case "read-only":
      return readRefused(said);
    case "usage":
      return readUsage(said);
    case "windows":
      return readWindows(said);
    case "received":
      return isName(said["id"]) ? { kind: "received", id: said["id"] } : null;
    case "done": {
      const summary = said["summary"] ?? "";
      return typeof summary === "string" && said["summary"] !== null ? { kind: "done", summary } : null;
    }
    default:
      return null;
  }
}

function readConversation({ id, resumes }: Fields): AgentSignal | null {
  if (!isName(id)) return null;
  return { kind: "conversation", id, ...(resumes === true ? { resumes } : {}) };
}

/** What the sandbox kept from the program. */
function readRefused({ type, host, path }: Fields): AgentSignal | null {
  if (type === "refused") return isName(host) ? { kind: "refused", host } : null;
  return isName(path) ? { kind: "read-only", path } : null;
}

function readStatus(said: Fields): AgentSignal | null {
  const state = oneOf(said["state"], ["working", "idle", "waiting", "rate-limited", "errored"] as const);
  const note = said["note"];
  if (state === null || (note !== undefined && typeof note !== "string")) return null;
  if (state === "errored") return { kind: "errored", reason: note ?? "" };
  if (state !== "rate-limited") return { kind: "status", state, note: note ?? null };
  const until = typeof said["until"] === "string" ? Date.parse(said["until"]) : Number.NaN;
  const cause = said["cause"] === "outage" ? ({ cause: "outage" } as const) : {};
  return { kind: "limited", until: Number.isFinite(until) ? until : null, reason: note ?? "", ...cause };
}

function readAsk(said: Fields): AgentSignal | null {
  const { id, question, choices = [] } = said;
  if (!isName(id) || typeof question !== "string" || !Array.isArray(choices)) return null;
  if (!choices.every((choice) => typeof choice === "string")) return null;
  const about = oneOf(said["kind"], ["permission", "question"] as const);
  const detail = readDetail(said["detail"]);
  const descriptions = readDescriptions(said["descriptions"]);
  const { freeText } = said;
  return {
    ...{ kind: "asked", id, question, choices },
    ...(about === null ? {} : { about }),
    ...(detail === null ? {} : { detail }),
    ...(descriptions === null ? {} : { descriptions }),
    ...(typeof freeText === "boolean" ? { freeText } : {}),
  };
}

// The details of a question may also be plain text; whatever else they are, they are shown rather than lost.
function readDetail(value: unknown): QuestionDetail<string> | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "string") return { format: "text", text: value };
  const { format, text } = value as Fields;
  if (typeof text !== "string") return { format: "text", text: JSON.stringify(value, null, 2) };
  return { format: oneOf(format, ["command", "diff", "text"] as const) ?? "text", text };
}

function readDescriptions(value: unknown): Readonly<Record<string, string>> | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  return Object.fromEntries(Object.entries(value).filter(([, text]) => typeof text === "string"));
}

function readUsage(said: Fields): AgentSignal | null {
  const { inputTokens = 0, outputTokens = 0, costUsd = 0 } = said;
  if (!isCount(inputTokens) || !isCount(outputTokens) || !isCount(costUsd)) return null;
  const { cachedTokens, model } = said;
  return {
    ...{ kind: "usage", inputTokens, outputTokens, costUsd },
    ...(isCount(cachedTokens) ? { cachedTokens } : {}),
    ...(isName(model) ? { model } : {}),
  };
}

/** Vendors have two or three; more would be a mistake. */
const MAX_WINDOWS = 8;
const MAX_WINDOW_NAME = 40;

function readWindows({ windows }: Fields): AgentSignal | null {
  if (!Array.isArray(windows)) return null;
  return { kind: "windows", windows: windows.slice(0, MAX_WINDOWS).flatMap(readWindow) };
}

function readWindow(value: unknown): readonly RateWindow[] {
  const { name, usedPercent, resetsAt } = (typeof value === "object" && value !== null ? value : {}) as Fields;
  if (!isName(name) || !isCount(usedPercent)) return [];
  const at = typeof resetsAt === "string" ? Date.parse(resetsAt) : Number.NaN;
  const resets = Number.isFinite(at) ? at : null;
  return [{ name: name.slice(0, MAX_WINDOW_NAME), usedPercent: Math.min(100, usedPercent), resetsAt: resets }];
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function oneOf<T extends string>(value: unknown, words: readonly T[]): T | null {
  return words.find((word) => word === value) ?? null;
}
