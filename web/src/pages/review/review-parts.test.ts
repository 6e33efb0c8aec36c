import { describe, expect, it } from "vitest";
import { groupByFolder } from "../../parts/diff/group-by-folder.ts";
import { newLineOf, parseDiff } from "../../parts/diff/parse-diff.ts";
import { findLine, stepLine } from "./lines-of-file.ts";
import { readPending } from "./pending-comments.ts";
import { lastReviewed, onlyIn } from "./since-review.ts";
import { fingerprintOf, viewedPaths } from "./viewed-files.ts";

const diffOf = (path: string, added: string): string =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,2 +1,3 @@\n one\n-two\n+${added}\n+three\n`;

const { files } = parseDiff(diffOf("README.md", "2") + diffOf("src/a.ts", "2"));
const [file] = files;
if (file === undefined) throw new Error("the diff has a file");

describe("the lines of a file", () => {
  it("are found by their number in the new version", () => {
    expect(findLine(file, 3)).toMatchObject({ content: "three" });
    expect(findLine(file, 40)).toBeNull();
    expect(findLine(file, null)).toBeNull();
  });

  it("are traversed without deleted ones", () => {
    expect(stepLine(file, null, 1)).toBe(2);
    expect(stepLine(file, findLine(file, 1), 1)).toBe(2);
    expect(stepLine(file, findLine(file, 3), 1)).toBeNull();
    expect(stepLine(file, findLine(file, 2), -1)).toBe(1);
    expect(file.hunks[0]?.changes.map(newLineOf)).toEqual([1, null, 2, 3]);
  });
});

describe("a viewed file", () => {
  it("stays viewed while it looks the same", () => {
    expect([...viewedPaths(files, new Set([fingerprintOf(file)]))]).toEqual(["README.md"]);
  });

  it("is no longer viewed once a commit changes it", () => {
    const changed = parseDiff(diffOf("README.md", "changed")).files;
    expect(viewedPaths(changed, new Set([fingerprintOf(file)])).size).toBe(0);
  });
});

it("groups files by folder, top-level ones last", () => {
  expect(groupByFolder(files).map(({ folder }) => folder)).toEqual(["src", ""]);
});

describe("pending comments", () => {
  it("are restored after a reload", () => {
    const comment = { id: "1", path: "a.ts", line: 3, text: "why?", head: "abc" };
    expect(readPending("tern/1", () => JSON.stringify([comment]))).toEqual([comment]);
  });

  it.each(["", "{", "7", '[{"id":1}]', '[{"id":"1","path":"a","line":"3","text":"","head":""}]'])(
    "are empty if the browser stored %j",
    (kept) => {
      expect(readPending("tern/1", () => kept)).toEqual([]);
    },
  );
});

describe("what changed since the last review", () => {
  const review = (head: string) => ({
    id: head,
    author: "Mara",
    verdict: "comment" as const,
    body: null,
    head,
    at: "",
  });

  it.each([
    ["nobody reviewed it", [], null],
    ["a commit came after the review", [review("a")], "a"],
    ["a commit came after both reviews", [review("a"), review("b")], "b"],
    ["the commit on screen was reviewed", [review("a"), review("head")], null],
  ])("is offered or not: %s", (_when, reviews, expected) => {
    expect(lastReviewed(reviews, "head")).toBe(expected);
  });

  it("omits what only the base changed", () => {
    const part = parseDiff(diffOf("src/a.ts", "2") + diffOf("of-main.ts", "2"));
    expect(onlyIn(part, parseDiff(diffOf("src/a.ts", "3"))).files.map(({ path }) => path)).toEqual(["src/a.ts"]);
  });
});
