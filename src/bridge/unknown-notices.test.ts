import { describe, expect, it } from "vitest";
import { createUnknownNotices } from "./bridge.ts";

function heard(): {
  readonly log: string[];
  readonly notes: string[];
  readonly unknown: (kind: string, body?: unknown) => void;
} {
  const log: string[] = [];
  const notes: string[] = [];
  const unknown = createUnknownNotices({
    noted: (text) => void notes.push(text),
    complain: (text) => void log.push(text),
  });
  return { log, notes, unknown: (kind, body = {}) => unknown({ kind, body }) };
}

describe("an unknown message", () => {
  it("is logged completely each time, and noted once per kind", () => {
    const { log, notes, unknown } = heard();
    unknown("mood/changed", { to: "good" });
    unknown("mood/changed", { to: "bad" });
    unknown("weather");
    expect(log).toEqual([
      'unknown message "mood/changed": {"to":"good"}',
      'unknown message "mood/changed": {"to":"bad"}',
      'unknown message "weather": {}',
    ]);
    expect(notes).toHaveLength(2);
    expect(notes[0]).toContain('"mood/changed"');
  });

  it("fills neither the log nor the transcript, however many there are", () => {
    const { log, notes, unknown } = heard();
    for (let n = 0; n < 500; n += 1) unknown("token");
    for (let n = 0; n < 500; n += 1) unknown(`kind ${n}`, "x".repeat(1_000_000));
    expect(log.length).toBeLessThan(100);
    expect(notes).toHaveLength(50);
    expect(Math.max(...log.map((line) => line.length))).toBeLessThan(2100);
  });
});
