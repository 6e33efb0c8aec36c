import type { Segment, StripActivity } from "./strip-geometry.ts";
import { formatSpan } from "./time.ts";

const PHRASES: readonly (readonly [lane: "agent" | "checks", kind: string, words: string])[] = [
  ["agent", "working", "worked"],
  ["agent", "question", "waiting for your answer"],
  ["agent", "review", "waiting for your review"],
  ["agent", "rate-limited", "rate limited"],
  ["agent", "no-signal", "no signal"],
  ["agent", "idle", "idle"],
  ["agent", "queued", "queued"],
  ["checks", "failing", "checks failing"],
  ["checks", "running", "checks running"],
];

/** A strip in words: "worked 38 min, waiting for your answer 4 min, checks failing 29 min, merged". */
export function describeStrip(activity: StripActivity, now: number): string {
  const parts = PHRASES.flatMap(([lane, kind, words]) => {
    const ms = totalOf(activity[lane], kind, now);
    return ms === 0 ? [] : [`${words} ${formatSpan(ms)}`];
  });
  if (activity.mergedAt !== null) parts.push("merged");
  return parts.length === 0 ? "no activity yet" : parts.join(", ");
}

function totalOf(segments: readonly Segment[], kind: string, now: number): number {
  return segments
    .filter((segment) => segment.kind === kind)
    .reduce((sum, { from, to }) => sum + (to === null ? now : Date.parse(to)) - Date.parse(from), 0);
}
