import type { JsonAnswer } from "../web/ask.ts";
import type { Verdict } from "../web/connection-failure.ts";

interface Asked {
  readonly host: string;
  readonly isWrite: boolean;
  /** The request, for people: `GET /projects/octo/demo/issues`. */
  readonly what: string;
}

/** What GitLab's status means; null: success. */
export function judgeAnswer(answer: JsonAnswer, asked: Asked): Verdict | null {
  const { status } = answer;
  const { host, what } = asked;
  const said = saidBy(answer.body);
  if (status < 300) return null;
  if (status === 429) return judgeLimit(answer, host);
  if (status === 401) {
    const hint = "Set a valid GITLAB_TOKEN, or run `glab auth login`, and run `ao start`.";
    return { category: "auth", message: `${host} refused the token (401).`, hint };
  }
  if (status === 403) {
    const hint = "`ao doctor` shows what the token lacks.";
    return { category: "auth", message: `${host} does not allow ${what}${said}`, hint };
  }
  if (status === 404 || status === 410) {
    const hint = "Check `repo`, and that the token may read it: GitLab hides what a token may not see.";
    return { category: "not-found", message: `${host} has no ${what} (${status}).`, hint };
  }
  if ([400, 405, 406, 409, 412, 422].includes(status)) {
    return { category: "conflict", message: `${host} refused ${what} (${status})${said}` };
  }
  if (status >= 500) {
    const category = asked.isWrite ? "unknown-outcome" : "unavailable";
    return { category, message: `${host} failed on ${what} (${status}).` };
  }
  return { category: "bad-response", message: `${host} answered ${what} with ${status}${said}` };
}

function judgeLimit({ headers }: JsonAnswer, host: string): Verdict {
  const seconds = Number(headers["retry-after"] ?? Number.NaN);
  const retryAfterMs = Number.isFinite(seconds) ? Math.max(1, seconds) * 1000 : 60_000;
  return { category: "rate-limited", message: `${host} asks ao to slow down.`, retryAfterMs };
}

/** GitLab's message, bounded and on one line; it is a text, a list, or lists by field. */
function saidBy(body: unknown): string {
  const { message, error, error_description: more } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const words = [message, error, more].flatMap((said) =>
    said === undefined ? [] : typeof said === "string" ? said : JSON.stringify(said),
  );
  return words.length === 0 ? "." : `: ${words.join(": ").replace(/\s+/g, " ").slice(0, 300)}`;
}
