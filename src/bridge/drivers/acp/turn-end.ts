import type { TurnEnd } from "../../driver.ts";
import { AUTH_REQUIRED, type ErrorAnswer } from "../../kit/rpc.ts";
import { readFailure } from "../../kit/turn-end.ts";
import { endOf, type VendorNames } from "../../kit/vendor-failure.ts";

/** How a turn ended, from its stop reason and the agent's last words. */
export function readStop(stopReason: string, lastWords: string, { name }: VendorNames): TurnEnd {
  switch (stopReason) {
    case "cancelled":
      return { kind: "interrupted" };
    case "refusal":
      return { kind: "failed", reason: `${name} refused to continue. ${lastWords}`.trim() };
    case "max_tokens":
      return { kind: "failed", reason: `${name} was cut off at the model's token limit. Tell it to continue.` };
    case "max_turn_requests":
      return { kind: "failed", reason: `${name} stopped at its limit of model calls per turn. Tell it to continue.` };
    default:
      return { kind: "finished", summary: lastWords };
  }
}

/** How a turn ended with a protocol error. */
export function readError(error: ErrorAnswer, names: VendorNames, now: Date): TurnEnd {
  const words = wordsOf(error);
  const needsLogin = error.code === AUTH_REQUIRED && !/\b(429|5\d\d)\b/.test(words);
  return needsLogin ? endOf({ words, status: 401 }, names) : readFailure(words, names, now);
}

const MAX_WORDS = 1000;

/** The message of an error; agents put the real one into its data, or as JSON into its message. */
export function wordsOf({ code, message, data }: ErrorAnswer): string {
  const details = typeof data === "string" ? data : findText(data);
  const general = /^internal error$/i.test(message) ? "" : (readJson(message) ?? message);
  const parts = [general, details === null || general.includes(details) ? "" : (readJson(details) ?? details)];
  const words = parts.filter((part) => part !== "").join(": ");
  const known = (words.trim().split("\n")[0] ?? "").slice(0, MAX_WORDS) || message || "an unnamed error";
  // Some use the model service's status as the code.
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
