import { expect, test } from "vitest";
import { editDistance, nearest, suggest } from "./did-you-mean.ts";

test.each([
  ["", "abc", 3],
  ["abc", "abc", 0],
  ["port", "prot", 1],
  ["kitten", "sitting", 3],
])("%j and %j are %i edits apart", (a, b, expected) => {
  expect(editDistance(a, b)).toBe(expected);
  expect(editDistance(b, a)).toBe(expected);
});

test.each([
  ["prot", ["host", "port"], "port"],
  ["Session_Prefix", ["sessionPrefix", "path"], "sessionPrefix"],
  ["retry", ["retries", "run"], "retries"],
  ["zzz", ["port", "host"], null],
  ["x", [], null],
])("for %s among %j the suggestion is %j", (word, candidates, expected) => {
  expect(nearest(word, candidates)).toBe(expected);
});

test("without a near match, all candidates are listed", () => {
  expect(suggest("zzz", ["port", "host"])).toBe("known here: port, host");
});
