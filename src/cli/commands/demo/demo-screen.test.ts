import { describe, expect, it } from "vitest";
import type { ProgressRow } from "../../../demo/progress.ts";
import { style } from "../../views/style.ts";
import { widthOf } from "../../views/text-width.ts";
import { renderNews, renderPicture } from "./demo-screen.ts";

const paint = style({ isTTY: false });
const row = (changes: Partial<ProgressRow> = {}): ProgressRow => ({
  sessionId: "garden-1",
  title: "Plant tulips",
  stage: "working",
  detail: "planting",
  tone: "busy",
  ...changes,
});

describe("the picture of the demo", () => {
  it("is a line per session, the people's last action, and a count of all tasks", () => {
    const rows = [row(), row({ title: "Dig", stage: "merged", detail: "#1 is abc on main", tone: "good" })];
    const actions = ["1", "2", "3", "4"].map((n) => `the reviewer did ${n}`);
    expect(renderPicture({ rows, total: 7, actions, elapsedMs: 12_900 }, { columns: 80, paint })).toEqual([
      ">  Plant tulips  working   planting",
      "+  Dig           merged    #1 is abc on main",
      "",
      "the reviewer did 2",
      "the reviewer did 3",
      "the reviewer did 4",
      "12 s, 1 of 7 merged",
    ]);
  });

  it("never exceeds the terminal's width, whatever agents say", () => {
    const rows = [row({ detail: "long ".repeat(50) }), row({ detail: "two\nlines \u001b[2J" })];
    const lines = renderPicture(
      { rows, total: 2, actions: ["told ".repeat(50)], elapsedMs: 0 },
      { columns: 50, paint },
    );
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(50);
    expect(lines.join("")).not.toMatch(/[\n\u001b]/);
  });
});

describe("the news of the demo", () => {
  it("are the sessions that are new or changed", () => {
    const before = [row(), row({ sessionId: "garden-2" })];
    const now = [
      row(),
      row({ sessionId: "garden-2", stage: "checks", detail: "tests" }),
      row({ sessionId: "garden-3" }),
    ];
    expect(renderNews(before, now, 3400)).toEqual([
      "   3 s  garden-2  checks    tests",
      "   3 s  garden-3  working   planting",
    ]);
    expect(renderNews(now, now, 3400)).toEqual([]);
  });
});
