import type { TurnEnd } from "../driver.ts";
import type { Settings } from "../drivers/acp/settings.ts";
import { withModelHint } from "./model-hint.ts";
import { AUTH_REQUIRED, type RpcError } from "./rpc.ts";

type Names = Pick<Settings, "name" | "login">;

/** How a turn ended by its stop reason and the agent's last words. */
export function readStop(stopReason: string, lastWords: string, { name }: Names): TurnEnd {
  switch (stopReason) {
    case "cancelled":
      return { kind: "interrupted" };
    case "refusal":
      return { kind: "failed", reason: `${name} refused to go on. ${lastWords}`.trim() };
    case "max_tokens":
      return { kind: "failed", reason: `${name} was cut off at the model's limit of tokens. Tell it to go on.` };
    case "max_turn_requests":
      return { kind: "failed", reason: `${name} stopped at its limit of model calls in a turn. Tell it to go on.` };
    default:
      return { kind: "finished", summary: lastWords };
  }
}

/** How a turn ended by an error of the protocol. */
export function readError(error: RpcError, names: Names, now: Date): TurnEnd {
  const words = wordsOf(error);
  const needsLogin = error.code === AUTH_REQUIRED && !/\b(429|5\d\d)\b/.test(words);
  return needsLogin ? noLogin(words, names) : readFailure(words, names, now);
}

/** How a turn ended by what an agent says about its failure. */
export function readFailure(words: string, names: Names, now: Date): TurnEnd {
  if (/\b(401|403)\b|authentication|unauthori[sz]ed|invalid api key|not logged in/i.test(words)) {
    return noLogin(words, names);
  }
  const reason = `${names.name} failed: ${words}`;
  const isLimit = /\b429\b|rate.?limit|quota|too many requests|resource.?exhausted/i.test(words);
  if (isLimit) return { kind: "limited", until: readRetry(words, now), reason };
  return { kind: "failed", reason: withModelHint(reason) };
}

function noLogin(words: string, { name, login }: Names): TurnEnd {
  return { kind: "failed", reason: `${name} is not logged in: ${words} ${login}` };
}

const MAX_WORDS = 1000;

/** The words of an error; agents put the true ones into its data, or into its message as JSON. */
export function wordsOf({ code, message, data }: RpcError): string {
  const details = typeof data === "string" ? data : findText(data);
  const general = /^internal error$/i.test(message) ? "" : (readJson(message) ?? message);
  const parts = [general, details === null || general.includes(details) ? "" : (readJson(details) ?? details)];
  const words = parts.filter((part) => part !== "").join(": ");
  const known = (words.trim().split("\n")[0] ?? "").slice(0, MAX_WORDS) || message || "an unnamed error";
  // Some use the status of the model service as the code.
  return code >= 400 && code < 600 && !known.includes(String(code)) ? `${code} ${known}` : known;
}

function findText(data: unknown): string | null {
  if (typeof data !== "object" || data === null) return null;
  const fields = data as Readonly<Record<string, unknown>>;
  const found = ["details", "message", "error", "errorMessage"].map((name) => fields[name]);
  return found.find((value) => typeof value === "string") ?? null;
}

function readJson(text: string): string | null {
  if (!text.startsWith("{")) return null;
  try {
    const { error, ...fields } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return findText(error) ?? findText(fields);
  } catch {
    return null;
  }
}

function readRetry(words: string, now: Date): Date | null {
  const [, count, unit] = /(?:retry|again)\D{0,20}?(\d+(?:\.\d+)?)\s*(ms|s|m|h)?/i.exec(words) ?? [];
  if (count === undefined) return null;
  const factor = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[unit?.toLowerCase() ?? "s"] ?? 1000;
  return new Date(now.getTime() + Number(count) * factor);
}
