import type { TurnEnd } from "../../driver.ts";
import { endOf, type VendorNames } from "../../kit/vendor-failure.ts";
import type { Result } from "./events.ts";

/** For messages about a failed turn, and about a missing or rejected login. */
export const NAMES: VendorNames = {
  name: "Claude Code",
  login: "Log in by running `claude` once, or set ANTHROPIC_API_KEY.",
};

/** How a turn ended. The subtype alone is not enough: a failed request is a "success" with `is_error`. */
export function readEnd(
  result: Result,
  known: { readonly isInterrupted: boolean; readonly resetsAt: Date | null },
): TurnEnd {
  if (known.isInterrupted && (result.is_error || result.subtype !== "success")) return { kind: "interrupted" };
  if (!result.is_error && result.subtype === "success") return { kind: "finished", summary: result.result };
  const words = firstLine(result.result) || firstLine(result.errors.join(" ")) || result.subtype;
  return endOf({ words, status: result.api_error_status, until: known.resetsAt ?? readReset(words) }, NAMES);
}

// Some versions append the time, in seconds, after a bar.
function readReset(reason: string): Date | null {
  const seconds = /\|(\d{10})\b/.exec(reason)?.[1];
  return seconds === undefined ? null : new Date(Number(seconds) * 1000);
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0] ?? "";
}
