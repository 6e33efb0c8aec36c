import { z } from "zod";
import type { JsonAnswer } from "../web/ask.ts";
import type { Verdict } from "../web/connection-failure.ts";

const Said = z.object({
  errorMessages: z.array(z.string()).nullish(),
  errors: z.record(z.string(), z.string()).nullish(),
});

interface Asked {
  readonly what: string;
  readonly isWrite: boolean;
  readonly host: string;
}

/** What is wrong with an answer from Jira; null: nothing. */
export function judgeAnswer({ status, headers, body }: JsonAnswer, { what, isWrite, host }: Asked): Verdict | null {
  if (status >= 200 && status < 300) return null;
  const said = saidBy(body);
  if (status === 429) {
    const seconds = Number(headers["retry-after"] ?? Number.NaN);
    const retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : 60_000;
    return { category: "rate-limited", message: `${host} asks ao to slow down.`, retryAfterMs };
  }
  if (status === 401) {
    const hint = "Set a valid JIRA_API_TOKEN (on Atlassian's cloud also JIRA_EMAIL), and run `ao start`.";
    return { category: "auth", message: `${host} refused the token (401).`, hint };
  }
  if (status === 403) return { category: "auth", message: `${host} does not allow ${what}${said}` };
  if (status === 404) {
    const hint = "Jira hides what a token may not see: check `project`, and that the account may browse it.";
    return { category: "not-found", message: `${host} has no ${what}${said}`, hint };
  }
  if ([400, 409, 422].includes(status)) return { category: "conflict", message: `${host} refused ${what}${said}` };
  if (status >= 500) {
    return { category: isWrite ? "unknown-outcome" : "unavailable", message: `${host} failed on ${what} (${status}).` };
  }
  return { category: "bad-response", message: `${host} answered ${what} with ${status}${said}` };
}

/** Jira's message, bounded and on one line. */
function saidBy(body: unknown): string {
  const { errorMessages, errors } = Said.safeParse(body).data ?? {};
  const fields = Object.entries(errors ?? {}).map(([field, text]) => `${field}: ${text}`);
  const words = [...(errorMessages ?? []), ...fields].join(" ").replace(/\s+/g, " ").trim().slice(0, 300);
  return words === "" ? "." : `: ${words}`;
}
