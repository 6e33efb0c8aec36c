import type { TurnEnd } from "../../driver.ts";
import { withModelHint } from "../../kit/model-hint.ts";
import type { Result } from "./events.ts";

/** How to fix a missing or rejected login. */
export const NO_LOGIN_FIX = "Log in by running `claude` once, or set ANTHROPIC_API_KEY.";

/** How a turn ended. The subtype alone is not enough: a failed request is a "success" with `is_error`. */
export function readEnd(
  result: Result,
  known: { readonly isInterrupted: boolean; readonly resetsAt: Date | null },
): TurnEnd {
  if (known.isInterrupted && (result.is_error || result.subtype !== "success")) return { kind: "interrupted" };
  if (!result.is_error && result.subtype === "success") return { kind: "finished", summary: result.result };
  const reason = firstLine(result.result) || firstLine(result.errors.join(" ")) || result.subtype;
  const status = result.api_error_status;
  if (status === 429 || isUsageLimit(reason)) {
    return { kind: "limited", until: known.resetsAt ?? readReset(reason), reason };
  }
  if (status === 401 || status === 403 || /not logged in/i.test(reason)) {
    return { kind: "failed", reason: `Claude Code is not logged in (${reason}). ${NO_LOGIN_FIX}` };
  }
  return { kind: "failed", reason: withModelHint(`Claude Code failed: ${reason}`) };
}

function isUsageLimit(reason: string): boolean {
  return /usage limit reached|hit your (\w+ )?limit/i.test(reason);
}

// Some versions append the time, in seconds, after a bar.
function readReset(reason: string): Date | null {
  const seconds = /\|(\d{10})\b/.exec(reason)?.[1];
  return seconds === undefined ? null : new Date(Number(seconds) * 1000);
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0] ?? "";
}
