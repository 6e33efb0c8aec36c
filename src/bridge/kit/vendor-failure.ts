import type { TurnEnd } from "../driver.ts";
import { withModelHint } from "./model-hint.ts";

/** The program's display name, and the sentence that explains how to log in. */
export interface VendorNames {
  readonly name: string;
  readonly login: string;
}

/** What a program reports about a failed turn. */
export interface VendorFailure {
  readonly words: string;
  /** The model service's HTTP status; null: not reported. */
  readonly status?: number | null | undefined;
  /** The program's own name for the failure. */
  readonly code?: string | undefined;
  /** When its limit ends; null: unknown. */
  readonly until?: Date | null | undefined;
}

type Kind = "billing" | "context" | "login" | "access" | "limit" | "outage" | "other";

/**
 * In this order: a quota that only money can fix comes as 429, a rejected model as 403, and a long conversation may name
 * tokens and limits.
 */
const KINDS: readonly (readonly [Kind, RegExp])[] = [
  [
    "billing",
    /\b402\b|insufficient.?(quota|funds|credit|balance)|exceeded your current quota|billing|credit balance|out of credits|payment required/i,
  ],
  [
    "context",
    /prompt is too long|context.?(length|window)|maximum context|ran out of room|input is too long|too many (input )?tokens in/i,
  ],
  ["login", /\b401\b|not logged in|unauthori[sz]ed|invalid (api|x-api).?key|authentication|ProviderAuthError/i],
  ["access", /\b403\b|forbidden|permission.?(error|denied)|does not have access/i],
  ["limit", /\b429\b|rate.?limit|quota|too many requests|usage.?limit|limit reached|hit your (\w+ )?limit|exhausted/i],
  [
    "outage",
    /\b(5[02][0-9])\b|overloaded|internal.?server.?error|service unavailable|bad gateway|gateway time-?out|server had an error|server_error/i,
  ],
  [
    "outage",
    /\bE(CONN(RESET|REFUSED|ABORTED)|TIMEDOUT|AI_AGAIN|NOTFOUND|PIPE|HOSTUNREACH|NETUNREACH)\b|ENOTFOUND|socket hang up|fetch failed|network error|unable to connect|could not resolve|connection.{0,20}(error|reset|closed|refused|failed|timed out|lost)|(stream|response).{0,20}(disconnected|connection)|error sending request/i,
  ],
];

const TURN_OF_STATUS: Readonly<Record<number, Kind>> = { 401: "login", 402: "billing", 403: "access", 429: "limit" };

function kindOf({ words, status, code = "" }: VendorFailure): Kind {
  const named = KINDS.find(([, pattern]) => pattern.test(words) || pattern.test(code))?.[0] ?? "other";
  if (status == null) return named;
  // The words say more than the status only where one status has several causes.
  if (named === "billing" || named === "context") return named;
  return TURN_OF_STATUS[status] ?? (status >= 500 ? "outage" : status >= 400 ? "other" : named);
}

/** How a failed turn ends: what passes is waited for, and the rest names what would help. */
export function endOf(failure: VendorFailure, { name, login }: VendorNames): TurnEnd {
  const { words, until = null } = failure;
  const reason = `${name} failed: ${words}`;
  switch (kindOf(failure)) {
    case "limit":
      return { kind: "limited", until, reason: words };
    case "outage":
      return { kind: "unavailable", reason: words };
    case "login":
      return { kind: "failed", reason: `${name} is not logged in (${words}). ${login}` };
    case "access":
      return withModel(reason, "The account has no access: check its plan, or log in with another one.");
    case "billing":
      return { kind: "failed", reason: sentences(reason, "Add credit or change the plan, then tell it to continue.") };
    case "context":
      return {
        kind: "failed",
        reason: sentences(reason, "The conversation is too long for the model: start a new session on this task."),
      };
    case "other":
      return { kind: "failed", reason: withModelHint(reason) };
  }
}

// Services also reject a model with 403 or 404; then its name is what has to change.
function withModel(reason: string, otherwise: string): TurnEnd {
  const hinted = withModelHint(reason);
  return { kind: "failed", reason: hinted === reason ? sentences(reason, otherwise) : hinted };
}

function sentences(first: string, second: string): string {
  return `${/[.!?]$/.test(first) ? first : `${first}.`} ${second}`;
}
