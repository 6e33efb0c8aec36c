import type { DryRunRowView, DryRunView } from "../../../../src/protocol/views/dry-run.ts";
import { formatMoment, formatSpan } from "../../lib/time.ts";

/** A row after its figure. */
export interface DryRunText {
  readonly text: string;
  /** The examples belong to the sentence, followed by this; null: they come after it. */
  readonly fate: string | null;
}

type Kind = DryRunRowView["kind"];

const MINUTE = 60_000;
const WEEK = 7 * 24 * 60 * MINUTE;

/** For one, and for several. */
const MERGES: Readonly<Partial<Record<Kind, readonly [string, string]>>> = {
  automatic: ["merge would not have waited for you", "merges would not have waited for you"],
  sooner: ["merge would have waited less for you", "merges would have waited less for you"],
  waits: ["merge would have waited for you", "merges would have waited for you"],
  later: ["merge would have waited longer for you", "merges would have waited longer for you"],
  "still-waits": ["merge would still wait", "merges would still wait"],
  unknown: ["merge cannot be judged", "merges cannot be judged"],
  unfinished: ["merge would have gone through", "merges would have gone through"],
  "bad-caught": ["bad merge would have waited for you", "bad merges would have waited for you"],
  bad: ["bad merge would have gone through", "bad merges would have gone through"],
};

const STEPS: Readonly<Record<string, readonly [string, string]>> = {
  messages: ["message to agents", "messages to agents"],
  escalations: ["escalation", "escalations"],
  notifications: ["notification", "notifications"],
  actions: ["other action", "other actions"],
  holds: ["merge held for quiet hours", "merges held for quiet hours"],
};

/** The row after its figure: `merges would still wait: they touch src/payment`. */
export function describeDryRunRow({ kind, count, reason, savedMs }: DryRunRowView): DryRunText {
  const nth = count === 1 ? 0 : 1;
  const merges = MERGES[kind];
  if (merges === undefined) {
    const [direction = "", ...what] = kind.split("-");
    return { text: `${direction} ${STEPS[what.join("-")]?.[nth] ?? ""}`, fate: null };
  }
  if (kind === "bad" || kind === "bad-caught") return { text: merges[nth], fate: "later reverted" };
  if (kind === "unfinished") return { text: merges[nth], fate: reason ?? "" };
  const saved = savedMs < MINUTE ? "" : `, saving ${formatSpan(savedMs)}`;
  return { text: `${merges[nth]}${saved}${reason === null ? "" : `: ${reason}`}`, fate: null };
}

/** `Dry run on the last 7 days`, or since when, if that was too much. */
export function describeWindow({ since }: Pick<DryRunView, "since">, now: number): string {
  const isWhole = now - Date.parse(since) > WEEK - 60 * MINUTE;
  return isWhole ? "Dry run on the last 7 days" : `Dry run since ${formatMoment(since, now)}`;
}

/** `9,412 events in 0.3 s`. */
export function describeEffort({ events, tookMs }: Pick<DryRunView, "events" | "tookMs">): string {
  const count = `${events.toLocaleString("en-US")} ${events === 1 ? "event" : "events"}`;
  return `${count} in ${(Math.max(tookMs, 100) / 1000).toFixed(1)} s`;
}

/** How many pull requests or sessions the examples leave out: `and 4 more`. */
export function describeRest({ count, examples }: Pick<DryRunRowView, "count" | "examples">): string {
  const more = count - examples.length;
  return more <= 0 ? "" : ` and ${more} more`;
}
