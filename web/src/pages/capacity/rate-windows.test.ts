import { describe, expect, it } from "vitest";
import { formatClock, formatDate } from "../../lib/time.ts";
import { describeWindow, drawWindow, type RateWindow, windowRows } from "./rate-windows.ts";

const NOW = Date.parse("2026-11-16T12:00:00Z");
const time = (minutes: number): string => new Date(NOW + minutes * 60_000).toISOString();
const aWindow = (facts: Partial<RateWindow> = {}): RateWindow => ({
  name: "5 h",
  usedPercent: 50,
  resetsAt: time(100),
  exhaustedAt: null,
  samples: [
    { at: time(-100), usedPercent: 40 },
    { at: time(0), usedPercent: 50 },
  ],
  ...facts,
});

describe("a rate-limit window", () => {
  it.each<[Partial<RateWindow>, string, boolean]>([
    [{}, `resets at ${formatClock(time(100))}, enough at this pace`, false],
    [{ samples: [{ at: time(0), usedPercent: 50 }] }, `resets at ${formatClock(time(100))}`, false],
    [
      { resetsAt: time(3 * 24 * 60) },
      `resets at ${formatDate(time(3 * 24 * 60))} ${formatClock(time(3 * 24 * 60))}`,
      false,
    ],
    [{ resetsAt: null }, "", false],
    [
      { exhaustedAt: time(50) },
      `used up at ${formatClock(time(50))} at this pace, resets at ${formatClock(time(100))}`,
      true,
    ],
    [{ usedPercent: 100, exhaustedAt: time(0), resetsAt: null }, "used up", true],
  ])("%o reads %s", (facts, text, isBad) => {
    expect(describeWindow(aWindow(facts), NOW)).toEqual({ text, isBad });
  });

  it("is drawn from its first report to its reset, with its projection", () => {
    const picture = drawWindow(aWindow(), { now: NOW, width: 200, height: 100 });
    expect(picture).toEqual({
      past: [
        { x: 0, y: 60 },
        { x: 100, y: 50 },
        { x: 100, y: 50 },
      ],
      now: 100,
      ahead: { x: 200, y: 40 },
      emptyFrom: null,
      reset: 200,
    });
  });

  it("is drawn empty from when it is used up until it resets", () => {
    const picture = drawWindow(aWindow({ exhaustedAt: time(50) }), { now: NOW, width: 200, height: 100 });
    expect(picture).toMatchObject({ ahead: { x: 150, y: 0 }, emptyFrom: 150, reset: 200 });
  });

  it("is drawn without an unknown future", () => {
    const unknown = aWindow({ resetsAt: null, samples: [] });
    expect(drawWindow(unknown, { now: NOW, width: 200, height: 100 })).toMatchObject({ ahead: null, reset: null });
  });
});

it("every window has a row, and an agent without one has a row too", () => {
  const agent = (name: string, windows: readonly RateWindow[]) => ({
    ...{ agent: name, working: 1, idle: 0, waiting: 0, rateLimited: 0, rateLimitedUntil: null },
    windows: [...windows],
  });
  const rows = windowRows([agent("codex", [aWindow(), aWindow({ name: "7 days" })]), agent("aider", [])]);
  expect(rows.map(({ agent: { agent: name }, window, isFirst }) => [name, window?.name ?? null, isFirst])).toEqual([
    ["codex", "5 h", true],
    ["codex", "7 days", false],
    ["aider", null, true],
  ]);
});
