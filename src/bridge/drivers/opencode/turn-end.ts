import type { TurnEnd } from "../../driver.ts";
import { endOf, type VendorNames } from "../../kit/vendor-failure.ts";
import type { Failure, Message, Status } from "./messages.ts";

const NAMES: VendorNames = { name: "OpenCode", login: "Log in with `opencode auth login`." };
const LIMIT = /\b429\b|rate.?limit|quota|too many requests|usage limit|limit reached|overloaded|exhausted/i;

/** What is known about a turn besides the program's last message. */
export interface Known {
  readonly lastWords: string;
  readonly isInterrupted: boolean;
  /** An error that is in no message. */
  readonly failure: Failure | null;
}

/** How a turn ended; null if it did not: the program reports idle too early if it was stopped or failed. */
export function readEnd(last: Message["info"] | null, known: Known, now: Date): TurnEnd | null {
  const isAnswer = last?.role === "assistant";
  if (isAnswer && last.time.completed == null) return null;
  const failure = (isAnswer ? last.error : null) ?? known.failure;
  if (known.isInterrupted || failure?.name === "MessageAbortedError") return { kind: "interrupted" };
  if (failure !== null) return readFailure(failure, now);
  if (!isAnswer) return null;
  if (last.finish === "length") return { kind: "failed", reason: CUT_OFF };
  // A person stopped it at its screen while it waited for the model service.
  return last.finish == null ? { kind: "interrupted" } : { kind: "finished", summary: known.lastWords };
}

const CUT_OFF = "OpenCode was cut off at the model's token limit. Tell it to continue.";

function readFailure(failure: Failure, now: Date): TurnEnd {
  const { name, data } = failure;
  if (name === "MessageOutputLengthError") return { kind: "failed", reason: CUT_OFF };
  const until = readRetry(data.responseHeaders, now);
  return endOf({ words: describe(failure), status: data.statusCode, code: name, until }, NAMES);
}

function describe({ name, data: { message, statusCode } }: Failure): string {
  const words = message.trim().split("\n")[0] || name || "an unnamed error";
  return statusCode == null || words.includes(String(statusCode)) ? words : `${words} (${statusCode})`;
}

function readRetry(headers: Readonly<Record<string, string>>, now: Date): Date | null {
  const seconds = Number(headers["retry-after"] ?? Number.NaN);
  return Number.isFinite(seconds) ? new Date(now.getTime() + seconds * 1000) : null;
}

/** Why it waits before it retries the same request; it retries without limit. */
export function readWait({ message, next, action }: Status): {
  readonly isLimit: boolean;
  readonly until: Date | null;
  readonly note: string;
} {
  const words = (action?.message || message).trim().split("\n")[0] || "the model service failed";
  return {
    isLimit: action != null || LIMIT.test(message),
    until: next == null ? null : new Date(next),
    note: `${words}; it tries again.`,
  };
}
