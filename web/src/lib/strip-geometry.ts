/** A time span in one state; `to` null: it is open. For the kinds see `GET /api/activity`. */
export interface Segment {
  readonly kind: string;
  readonly from: string;
  readonly to: string | null;
}

/** What a strip shows of a session: its agent's activity and its checks. */
export interface StripActivity {
  readonly agent: readonly Segment[];
  readonly checks: readonly Segment[];
  readonly mergedAt: string | null;
}

/** The time span of a strip, in milliseconds, and its width, in pixels. */
export interface StripFrame {
  readonly from: number;
  readonly to: number;
  readonly width: number;
}

/** How each kind is drawn: a filled box, an outline, slanted lines, or dots. */
type Drawing = "box" | "outline" | "hatch" | "dots";

interface Look {
  readonly top: number;
  readonly bottom: number;
  readonly drawing: Drawing;
}

/** The baselines of the two lanes: the agent's boxes are on the first, the checks' on the second. */
const AGENT_LINE = 9;
const CHECKS_LINE = 15;
export const STRIP_HEIGHT = 18;
const MIN_WIDTH = 1.5;
const TURN_GAP = 1;
/** An open segment is drawn this far beyond the end of the frame, so that the strip can move without being redrawn. */
const LEAD_MS = 120_000;

const onAgentLine = (height: number, drawing: Drawing = "box"): Look => ({
  top: AGENT_LINE - height,
  bottom: AGENT_LINE,
  drawing,
});
const onChecksLine = (height: number): Look => ({ top: CHECKS_LINE - height, bottom: CHECKS_LINE, drawing: "box" });

const LOOKS = {
  idle: onAgentLine(1.5),
  queued: onAgentLine(2, "dots"),
  past: onAgentLine(5),
  live: onAgentLine(5),
  question: onAgentLine(8),
  review: onAgentLine(3.5),
  "rate-limited": onAgentLine(5, "hatch"),
  "no-signal": onAgentLine(5, "outline"),
  running: onChecksLine(3),
  failing: onChecksLine(4),
  passing: onChecksLine(3),
} as const satisfies Readonly<Record<string, Look>>;

type Drawn = keyof typeof LOOKS;
export type StripKind = Drawn | "merged";

/** One path per kind that occurs, in painting order. */
export function stripPaths(activity: StripActivity, frame: StripFrame): readonly (readonly [StripKind, string])[] {
  const parts = new Map<StripKind, string[]>();
  const lane = (segments: readonly Segment[]): void => {
    for (const [index, segment] of segments.entries()) {
      const kind = drawnAs(segment);
      const span = kind === null ? null : spanOf(segment, segments[index + 1], frame);
      if (kind === null || span === null) continue;
      parts.set(kind, [...(parts.get(kind) ?? []), draw(LOOKS[kind], span)]);
    }
  };
  lane(activity.agent);
  lane(activity.checks);
  const order: readonly StripKind[] = [...(Object.keys(LOOKS) as Drawn[]), "merged"];
  const tick = activity.mergedAt === null ? null : xOf(Date.parse(activity.mergedAt), frame);
  if (tick !== null && tick >= 0 && tick <= frame.width) parts.set("merged", [box([tick - 1, tick + 1], 1, 16)]);
  return order.flatMap((kind) => {
    const drawn = parts.get(kind);
    return drawn === undefined ? [] : [[kind, drawn.join("")] as const];
  });
}

function drawnAs({ kind, to }: Segment): Drawn | null {
  if (kind === "working") return to === null ? "live" : "past";
  return kind in LOOKS ? (kind as Drawn) : null;
}

type Span = readonly [left: number, right: number];

/** The drawn range; null: outside the frame. A turn leaves a gap before the next one. */
function spanOf(segment: Segment, next: Segment | undefined, frame: StripFrame): Span | null {
  const start = xOf(Date.parse(segment.from), frame);
  const end = xOf(segment.to === null ? frame.to + LEAD_MS : Date.parse(segment.to), frame);
  const limit = xOf(frame.to + LEAD_MS, frame);
  if (end < 0 || start > limit) return null;
  const gap = segment.kind === "working" && next?.kind === "working" ? TURN_GAP : 0;
  const left = Math.max(0, start);
  return [left, Math.min(limit, Math.max(left + MIN_WIDTH, end - gap))];
}

function xOf(at: number, { from, to, width }: StripFrame): number {
  return ((at - from) / (to - from)) * width;
}

function draw({ top, bottom, drawing }: Look, span: Span): string {
  switch (drawing) {
    case "box":
      return box(span, top, bottom);
    case "outline":
      return box([span[0] + 0.5, Math.max(span[0] + 1, span[1] - 0.5)], top + 0.5, bottom - 0.5);
    case "hatch":
      return repeat(span, 4, (x) => `M${round(x)} ${bottom}l${Math.min(4, round(span[1] - x))} ${top - bottom}`);
    case "dots":
      return repeat(span, 4.5, (x) => `M${round(x)} ${bottom - 0.75}h1.5`);
  }
}

function box([left, right]: Span, top: number, bottom: number): string {
  return `M${round(left)} ${top}H${round(right)}V${bottom}H${round(left)}Z`;
}

function repeat([left, right]: Span, step: number, one: (x: number) => string): string {
  const count = Math.max(1, Math.floor((right - left) / step));
  return Array.from({ length: count }, (_, n) => one(left + n * step)).join("");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
