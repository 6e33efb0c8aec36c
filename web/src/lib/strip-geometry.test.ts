import { describe, expect, it } from "vitest";
import { describeStrip } from "./describe-strip.ts";
import { type Segment, stripPaths } from "./strip-geometry.ts";

const MINUTE = 60_000;
const NOW = Date.parse("2026-11-12T14:36:00Z");
const at = (minutesAgo: number): string => new Date(NOW - minutesAgo * MINUTE).toISOString();
const segment = (kind: string, from: number, to: number | null): Segment => ({
  kind,
  from: at(from),
  to: to === null ? null : at(to),
});
/** 180 minutes on 180 pixels: a minute is a pixel. */
const FRAME = { from: NOW - 180 * MINUTE, to: NOW, width: 180 };

const paths = (agent: readonly Segment[], checks: readonly Segment[] = [], mergedAt: string | null = null) =>
  Object.fromEntries(stripPaths({ agent, checks, mergedAt }, FRAME));

describe("a strip", () => {
  it("has one path per kind, with the open turn as its own kind that extends beyond the frame", () => {
    expect(paths([segment("working", 100, 60), segment("idle", 60, 40), segment("working", 40, null)])).toEqual({
      past: "M80 4H120V9H80Z",
      idle: "M120 7.5H140V9H120Z",
      live: "M140 4H182V9H140Z",
    });
  });

  it("leaves a gap between two turns", () => {
    expect(paths([segment("working", 100, 60), segment("working", 60, 20)])["past"]).toBe(
      "M80 4H119V9H80ZM120 4H160V9H120Z",
    );
  });

  it("omits what ended before the frame, and cuts what started before it", () => {
    expect(paths([segment("working", 300, 200), segment("question", 200, 170)])).toEqual({ question: "M0 1H10V9H0Z" });
  });

  it("shows the shortest segment at 1.5 pixels", () => {
    expect(paths([segment("question", 50, 49.9)])["question"]).toBe("M130 1H131.5V9H130Z");
  });

  it("puts checks on their own lane: failing is higher than running and passing", () => {
    expect(paths([], [segment("running", 60, 50), segment("failing", 50, 40), segment("passing", 40, 30)])).toEqual({
      running: "M120 12H130V15H120Z",
      failing: "M130 11H140V15H130Z",
      passing: "M140 12H150V15H140Z",
    });
  });

  it("draws no signal as an outline, a rate limit as slanted lines, a queue as dots, a merge as a tick", () => {
    const drawn = paths(
      [segment("queued", 100, 90), segment("rate-limited", 90, 81), segment("no-signal", 80, 70)],
      [],
      at(10),
    );
    expect(drawn).toEqual({
      queued: "M80 8.25h1.5M84.5 8.25h1.5",
      "rate-limited": "M90 9l4 -5M94 9l4 -5",
      "no-signal": "M100.5 4.5H109.5V8.5H100.5Z",
      merged: "M169 1H171V16H169Z",
    });
  });

  it("omits an unknown kind", () => expect(paths([segment("new", 20, 10)])).toEqual({}));

  it("has a text form", () => {
    const activity = {
      agent: [segment("working", 42, 4), segment("question", 4, null)],
      checks: [segment("failing", 29, null)],
      mergedAt: null,
    };
    expect(describeStrip(activity, NOW)).toBe("worked 38 min, waiting for your answer 4 min, checks failing 29 min");
    expect(describeStrip({ agent: [], checks: [], mergedAt: null }, NOW)).toBe("no activity yet");
  });
});
