import type { TurnEnd } from "../../driver.ts";
import { endOf, type VendorNames } from "../../kit/vendor-failure.ts";
import type { RateLimits, Turn, TurnError } from "./messages.ts";

const NAMES: VendorNames = { name: "Codex", login: "Log in with `codex login`." };

/** How a turn ended, as the program reports it. */
export function readEnd(
  turn: Turn,
  known: { readonly lastWords: string; readonly limits: RateLimits | null },
): TurnEnd {
  if (turn.status === "interrupted") return { kind: "interrupted" };
  if (turn.status !== "failed") return { kind: "finished", summary: known.lastWords };
  const error = turn.error ?? { message: "it gave no reason" };
  const { kind, status } = readCause(error);
  const until = kind === "usageLimitExceeded" ? readReset(known.limits) : null;
  return endOf({ words: describeError(error), status, code: kind, until }, NAMES);
}

/** Is it the service's rate limit or the plan's limit? */
export function isLimit(error: TurnError): boolean {
  const { kind, status } = readCause(error);
  return status === 429 || kind === "usageLimitExceeded" || kind === "rateLimitExceeded";
}

/** The program's message, with the model service's status if it lacks that. */
export function describeError(error: TurnError): string {
  const { status } = readCause(error);
  const words = error.message.trim().split("\n")[0] || "an unnamed error";
  return status === null || words.includes(String(status)) ? words : `${words} (${status})`;
}

// A name, or an object with one name that holds the status.
function readCause({ codexErrorInfo: info }: TurnError): { readonly kind: string; readonly status: number | null } {
  if (typeof info === "string") return { kind: info, status: info === "internalServerError" ? 500 : null };
  const [entry] = typeof info === "object" && info !== null ? Object.entries(info) : [];
  const status = (entry?.[1] as { readonly httpStatusCode?: unknown } | null | undefined)?.httpStatusCode;
  return { kind: entry?.[0] ?? "", status: typeof status === "number" ? status : null };
}

function readReset(limits: RateLimits | null): Date | null {
  const full = [limits?.primary, limits?.secondary].filter((window) => (window?.usedPercent ?? 0) >= 100);
  const seconds = full.flatMap((window) => window?.resetsAt ?? []);
  return seconds.length === 0 ? null : new Date(Math.max(...seconds) * 1000);
}
