import { PluginError } from "../../core/errors.ts";
import type { Clock } from "../../ports/host.ts";
import { HttpError } from "../../ports/http.ts";
import { judgeConnection, type Verdict } from "../web/connection-failure.ts";
import { serverTime } from "./budget.ts";

/** The fields of Octokit's error that are used here. */
interface Failure {
  readonly status?: number;
  readonly cause?: unknown;
  readonly response?: { readonly headers?: Readonly<Record<string, string>>; readonly data?: unknown };
}

interface Asked {
  readonly host: string;
  readonly isWrite: boolean;
  readonly clock: Clock;
  /** The request, for people: `GET /repos/octo/demo/issues`. */
  readonly what: string;
}

/**
 * The error for a failed request. Octokit's own error is not kept as its cause, because it holds the request's headers.
 */
export function toPluginError(error: unknown, asked: Asked): PluginError {
  if (error instanceof PluginError) return error;
  return new PluginError({ plugin: "github", ...judge(error as Failure, asked) });
}

function judge(failure: Failure, asked: Asked): Verdict {
  if (failure.cause instanceof HttpError) return judgeConnection(failure.cause, asked.isWrite);
  const { host, what } = asked;
  const status = failure.status ?? 0;
  const said = saidBy(failure.response?.data);
  const limit = judgeLimit(failure, asked);
  if (limit !== null) return limit;
  if (status === 401) {
    const hint = "Set a valid GITHUB_TOKEN, or run `gh auth login`, and run `ao start`.";
    return { category: "auth", message: `${host} refused the token (401).`, hint };
  }
  if (status === 403) {
    const hint = "`ao doctor` shows the scopes of the token.";
    return { category: "auth", message: `${host} does not allow ${what}${said}`, hint };
  }
  if (status === 404 || status === 410) {
    const hint = "Check `repo`, and that the token may read it: GitHub hides what a token may not see.";
    return { category: "not-found", message: `${host} has no ${what} (${status}).`, hint };
  }
  if ([405, 409, 422].includes(status)) {
    return { category: "conflict", message: `${host} refused ${what} (${status})${said}` };
  }
  if (status >= 500) {
    const category = asked.isWrite ? "unknown-outcome" : "unavailable";
    return { category, message: `${host} failed on ${what} (${status}).` };
  }
  return { category: "bad-response", message: `${host} answered ${what} with ${status}${said}` };
}

function judgeLimit(failure: Failure, { host, clock }: Asked): Verdict | null {
  const { status = 0, response } = failure;
  const headers = response?.headers ?? {};
  const isUsedUp = headers["x-ratelimit-remaining"] === "0";
  const isSecondary = headers["retry-after"] !== undefined || /secondary rate/i.test(saidBy(response?.data));
  const isLimit = status === 429 || (status === 403 && (isUsedUp || isSecondary)) || isGraphqlLimit(response?.data);
  if (!isLimit) return null;
  const seconds = Number(headers["retry-after"] ?? Number.NaN);
  const untilReset = Number(headers["x-ratelimit-reset"]) * 1000 - serverTime(headers, clock);
  const retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : isUsedUp ? Math.max(1000, untilReset || 0) : 60_000;
  const message = isUsedUp ? `The rate limit of ${host} is used up.` : `${host} asks ao to slow down.`;
  return { category: "rate-limited", message, retryAfterMs };
}

/** GraphQL answers 200; Octokit's throttling, which is on for github.com, makes that an error without a status. */
function isGraphqlLimit(data: unknown): boolean {
  const { errors } = (data ?? {}) as { readonly errors?: unknown };
  return Array.isArray(errors) && errors.some((error) => (error as { type?: unknown } | null)?.type === "RATE_LIMITED");
}

/** GitHub's message, bounded and on one line. */
function saidBy(data: unknown): string {
  const { message, errors } = (data ?? {}) as { readonly message?: unknown; readonly errors?: unknown };
  const details = Array.isArray(errors) ? errors.map(detailOf).filter((text) => text !== "") : [];
  const words = [typeof message === "string" ? message : "", ...details].filter((text) => text !== "").join(": ");
  return words === "" ? "." : `: ${words.replace(/\s+/g, " ").slice(0, 300)}`;
}

function detailOf(error: unknown): string {
  if (typeof error === "string") return error;
  const { message, field, code } = (error ?? {}) as { message?: unknown; field?: unknown; code?: unknown };
  if (typeof message === "string") return message;
  return typeof field === "string" && typeof code === "string" ? `${field} is ${code}` : "";
}
