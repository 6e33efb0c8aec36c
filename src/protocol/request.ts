import { AoError, type ErrorCode } from "../core/errors.ts";
import type { Call } from "./api.ts";
import type { ProblemView } from "./views/daemon.ts";

/** A call on the wire. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string | undefined;
}

/** The request line and body of a call. */
export function buildRequest(call: Call, params: Readonly<Record<string, string>>, input: unknown): RawRequest {
  const [method = "GET", template = ""] = call.split(" ");
  const path = template.replace(/:([a-z]+)/g, (_, name: string) => pathPart(name, params[name] ?? ""));
  if (method === "GET") return { method, path: path + toQuery(input) };
  return { method, path, body: input === undefined ? undefined : JSON.stringify(input) };
}

/** An object as a query string, without unset values. */
export function toQuery(input: unknown): string {
  const entries = Object.entries(input ?? {}).filter(([, value]) => value !== undefined);
  const query = entries.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`);
  return query.length === 0 ? "" : `?${query.join("&")}`;
}

/** The value of an answer, or throws its problem as an error. */
export function readAnswer(answer: { readonly status: number; readonly text: string }): unknown {
  const value = parseJson(answer.text);
  if (answer.status >= 200 && answer.status < 300 && value !== undefined) return value;
  const problem = value as Partial<ProblemView> | undefined;
  throw new AoError({
    code: (problem?.code as ErrorCode | undefined) ?? "internal",
    message: problem?.detail ?? problem?.title ?? `the daemon answered ${answer.status} without a reason`,
    hint: problem?.hint ?? undefined,
  });
}

/** A name that a URL would resolve away can never be an id. */
function pathPart(name: string, value: string): string {
  if (value !== "" && value !== "." && value !== "..") return encodeURIComponent(value);
  const code = name === "id" ? "session-unknown" : "not-found";
  throw new AoError({ code, message: `nothing is named ${JSON.stringify(value)}`, hint: "`ao list` shows the names." });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
