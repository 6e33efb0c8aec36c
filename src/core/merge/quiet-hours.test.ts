import { describe, expect, it } from "vitest";
import { quietUntil } from "./quiet-hours.ts";

const night = { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" };
const lunch = { from: "12:00", to: "13:30", timeZone: "America/New_York" };
const at = (time: string): number => Date.parse(`2026-01-15T${time}Z`);

describe("quiet hours", () => {
  it.each([
    ["before they start", night, "20:59:59", null],
    ["as they start", night, "21:00:00", "06:00:00+1"],
    ["after midnight", night, "03:15:30", "06:00:00"],
    ["in their last minute", night, "05:59:59", "06:00:00"],
    ["as they end", night, "06:00:00", null],
    ["within a day", lunch, "17:10:00", "18:30:00"],
    ["after those of a day", lunch, "18:30:00", null],
  ])("%s", (_name, hours, now, until) => {
    const [time, days] = until?.split("+") ?? [];
    const expected = time === undefined ? null : at(time) + Number(days ?? 0) * 24 * 60 * 60_000;
    expect(quietUntil(hours, at(now))).toBe(expected);
  });

  it("are empty if they end as they start", () => {
    expect(quietUntil({ from: "09:00", to: "09:00", timeZone: "UTC" }, at("09:00:00"))).toBeNull();
  });

  it("follow the daylight saving time of their zone", () => {
    const july = Date.parse("2026-07-15T20:30:00Z");
    expect(quietUntil(night, july)).toBe(Date.parse("2026-07-16T05:00:00Z"));
  });
});
