import { describe, expect, it } from "vitest";
import { readFailure } from "./turn-end.ts";

const names = { name: "Made", login: "Run `made login`." };
const now = new Date("2026-01-01T00:00:00Z");

describe("a failure in the vendor's words", () => {
  it.each([
    ["429 Too Many Requests", null],
    ["429: retry after 30", "2026-01-01T00:00:30.000Z"],
    ["Rate limit reached, please try again in 2m", "2026-01-01T00:02:00.000Z"],
  ])("%s is a rate limit", (words, until) => {
    const end = readFailure(words, names, now);
    expect(end).toMatchObject({ kind: "limited", until: until === null ? null : new Date(until) });
  });
});
