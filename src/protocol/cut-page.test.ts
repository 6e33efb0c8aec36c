import { expect, it } from "vitest";
import { cutPage } from "./cut-page.ts";

const LETTERS = ["a", "b", "c", "d", "e"];
const page = (query: { limit?: number; cursor?: string }) => cutPage(LETTERS, query, (letter) => letter);

it("a list is complete without a limit", () => {
  expect(page({})).toEqual({ data: LETTERS });
});

it("pages follow each other without gaps or repetition", () => {
  const seen: string[] = [];
  for (let cursor: string | undefined, more = true; more; ) {
    const { data, next } = page({ limit: 2, ...(cursor === undefined ? {} : { cursor }) });
    seen.push(...data);
    cursor = next;
    more = next !== undefined;
  }
  expect(seen).toEqual(LETTERS);
});

it("the last page has no next cursor, even if it is full", () => {
  expect(page({ limit: 5 })).toEqual({ data: LETTERS });
  expect(page({ limit: 1, cursor: "d" })).toEqual({ data: ["e"] });
  expect(page({ limit: 1, cursor: "e" })).toEqual({ data: [] });
});

it("a cursor whose item is gone is rejected", () => {
  expect(() => page({ cursor: "x" })).toThrow(/no longer in the list/);
});
