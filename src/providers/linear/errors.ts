import { z } from "zod";
import type { JsonAnswer } from "../web/ask.ts";
import type { Verdict } from "../web/connection-failure.ts";

const Failed = z.object({
  errors: z
    .array(
      z.object({
        message: z.string(),
        extensions: z
          .object({
            code: z.string().nullish(),
            type: z.string().nullish(),
            userPresentableMessage: z.string().nullish(),
          })
          .nullish(),
      }),
    )
    .min(1),
});

interface Asked {
  readonly what: string;
  readonly isWrite: boolean;
  readonly now: number;
}

/**
 * What is wrong with an answer from Linear; null: nothing. Linear puts the kind of error in the body, whatever the
 * status.
 */
export function judgeAnswer(answer: JsonAnswer, asked: Asked): Verdict | null {
  const { status, body } = answer;
  const [error] = Failed.safeParse(body).data?.errors ?? [];
  const code = error?.extensions?.code ?? KINDS[status] ?? (status >= 500 ? "INTERNAL_SERVER_ERROR" : "");
  if (code === "RATELIMITED") {
    return {
      category: "rate-limited",
      message: "Linear asks ao to slow down.",
      retryAfterMs: waitOf(answer, asked.now),
    };
  }
  if (code === "" && error === undefined && status < 400) return null;
  const said = error === undefined ? "." : `: ${words(error.extensions?.userPresentableMessage ?? error.message)}`;
  return judgeError(code, { ...asked, status, said, message: error?.message ?? "" });
}

/** For answers that are not Linear's own, such as a proxy's. */
const KINDS: Readonly<Record<number, string>> = {
  401: "AUTHENTICATION_ERROR",
  403: "FORBIDDEN",
  429: "RATELIMITED",
};

interface Refusal extends Asked {
  readonly status: number;
  /** Linear's message, appended to ours. */
  readonly said: string;
  readonly message: string;
}

function judgeError(code: string, { what, isWrite, status, said, message }: Refusal): Verdict {
  if (code === "AUTHENTICATION_ERROR") {
    const hint = "Set a valid LINEAR_API_KEY, and run `ao start`.";
    return { category: "auth", message: `Linear refused the key (${status}).`, hint };
  }
  if (code === "FORBIDDEN") return { category: "auth", message: `Linear does not allow ${what}${said}` };
  if (code === "INTERNAL_SERVER_ERROR") {
    return { category: isWrite ? "unknown-outcome" : "unavailable", message: `Linear failed on ${what} (${status}).` };
  }
  if (/not found|could not find/i.test(message)) {
    return { category: "not-found", message: `Linear found nothing for ${what}${said}` };
  }
  if (["INPUT_ERROR", "INVALID_INPUT", "USER_ERROR"].includes(code)) {
    return { category: "conflict", message: `Linear refused ${what}${said}` };
  }
  return { category: "bad-response", message: `Linear answered ${what} with ${status}${said}` };
}

/**
 * How long to wait: the given time, else until the exhausted budget is renewed. Linear gives that time in milliseconds.
 */
function waitOf({ headers }: JsonAnswer, now: number): number {
  const seconds = Number(headers["retry-after"] ?? Number.NaN);
  if (Number.isFinite(seconds)) return seconds * 1000;
  const resets = ["requests", "complexity"]
    .filter((kind) => Number(headers[`x-ratelimit-${kind}-remaining`] ?? Number.NaN) <= 0)
    .map((kind) => Number(headers[`x-ratelimit-${kind}-reset`]))
    .filter(Number.isFinite);
  return resets.length === 0 ? 60_000 : Math.max(1000, Math.max(...resets) - now);
}

/** Linear's message, bounded and on one line. */
function words(text: string): string {
  return text.replace(/\s+/g, " ").slice(0, 300);
}
