import { describe, expect, it } from "vitest";
import { readFailure } from "./turn-end.ts";

const names = { name: "Made", login: "Run `made login`." };
const now = new Date("2026-01-01T00:00:00Z");

describe("a failure in the vendor's words", () => {
  it.each([
    ["429 Too Many Requests", null],
    ["429: retry after 30", "2026-01-01T00:00:30.000Z"],
    ["Rate limit reached, please try again in 2m", "2026-01-01T00:02:00.000Z"],
    ["429: retry after 500ms", "2026-01-01T00:00:00.500Z"],
    ["429: retry-after: 1.5 (request 7)", "2026-01-01T00:00:01.500Z"],
    ["429: try again in 20 seconds.", "2026-01-01T00:00:20.000Z"],
    ["429: try again in 10 minutes", "2026-01-01T00:10:00.000Z"],
    ["429: try again in 6m0s", "2026-01-01T00:06:00.000Z"],
    ["429: try again in 1 hour", "2026-01-01T01:00:00.000Z"],
    ["quota: try again in 3 days", "2026-01-04T00:00:00.000Z"],
    ["quota: try again in 2 weeks", "2026-01-15T00:00:00.000Z"],
    ["quota: try again in 2 months", null],
    ["quota: try again at 5:00 PM", null],
    ["quota: try again after 17:30", null],
    ["quota: try again after 5pm", null],
    ["quota: try again at 5", null],
    ["quota: retry after 2026-01-05T10:00:00Z", null],
    ["quota: retry after 1/5/2026", null],
    ["quota: retry after 5.1.2026", null],
    ["quota: try again after Jan 5th", null],
    ["quota: try again after Jan 5", null],
    ["quota: retry after 9999999999999999", null],
  ])("%s is a rate limit", (words, until) => {
    const end = readFailure(words, names, now);
    expect(end).toMatchObject({ kind: "limited", until: until === null ? null : new Date(until) });
  });
});
