import { PluginError, type PluginErrorCategory } from "../../core/errors.ts";
import { HttpError, type HttpReason, type HttpResponse } from "../../ports/http.ts";

const MAX_PAUSE_MS = 3_600_000;

const BY_REASON: Readonly<Record<HttpReason, PluginErrorCategory>> = {
  invalid: "config",
  unreachable: "unavailable",
  timeout: "timeout",
  broken: "unknown-outcome",
};

/** The sender, for error messages. */
export interface Sender {
  /** The name of the plugin. */
  readonly plugin: string;
  /** What to check after 401 or 403. */
  readonly checkAccess: string;
}

/** The error for a request without an answer. */
export function explainSilence({ plugin }: Sender, error: unknown): unknown {
  if (!(error instanceof HttpError)) return error;
  return new PluginError({
    plugin,
    code: error.code,
    category: BY_REASON[error.reason],
    message: error.message,
  });
}

/** An unsuccessful answer, and who sent it. */
export interface Refusal {
  /** Only the host: the rest of a URL may be secret. */
  readonly host: string;
  readonly answer: HttpResponse;
  readonly now: number;
}

/** The error for an unsuccessful answer; it quotes nothing of the body, which may contain the URL. */
export function explainAnswer(sender: Sender, { host, answer, now }: Refusal): PluginError {
  const { status, headers } = answer;
  const category = categorize(status);
  const retryAfterMs = category === "config" || category === "auth" ? null : pauseOf(headers["retry-after"], now);
  return new PluginError({
    plugin: sender.plugin,
    category,
    message: `The webhook at ${host} answered ${status}.`,
    hint: hintFor(status, sender),
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  });
}

function categorize(status: number): PluginErrorCategory {
  if (status === 429) return "rate-limited";
  if (status === 401 || status === 403) return "auth";
  if (status >= 500 || status === 408 || status === 425) return "unavailable";
  return status >= 300 ? "config" : "bad-response";
}

function hintFor(status: number, { checkAccess }: Sender): string | undefined {
  if (status >= 300 && status < 400) return "Redirects are not followed; write the final address as `url`.";
  if (status === 401 || status === 403) return checkAccess;
  return status >= 400 && status < 500 && status !== 429 ? "Check the `url` of this notifier." : undefined;
}

/** Milliseconds of a Retry-After header with seconds or a date; null if it has neither. */
function pauseOf(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  const ms = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(Math.ceil(ms), 0), MAX_PAUSE_MS);
}
