import { describe, expect, it } from "vitest";
import { describeHunk } from "./describe-hunk.ts";
import { countLines, firstLines, newLineOf, parseDiff } from "./parse-diff.ts";
import { unquotePath } from "./unquote-path.ts";

const lines = (...parts: readonly string[]): string => `${parts.join("\n")}\n`;

const MODIFIED = lines(
  "diff --git a/src/a b.ts b/src/a b.ts",
  "index 1..2 100644",
  "--- a/src/a b.ts\t",
  "+++ b/src/a b.ts\t",
  "@@ -1,2 +1,3 @@ class Cache {",
  " one",
  "-two",
  "+2",
  "+three",
);

describe("a git diff", () => {
  it("is parsed into lines with their numbers", () => {
    const [file] = parseDiff(MODIFIED).files;
    expect(file).toMatchObject({ path: "src/a b.ts", change: "modified", added: 2, removed: 1 });
    expect(file?.hunks[0]?.changes.map(newLineOf)).toEqual([1, null, 2, 3]);
  });

  it.each([
    ["new file mode 100644", "added"],
    ["deleted file mode 100644", "deleted"],
    ["similarity index 100%\nrename from old\nrename to x", "renamed"],
    ["similarity index 100%\ncopy from old\ncopy to x", "copied"],
    ["old mode 100644\nnew mode 100755", "modified"],
  ])("shows what happened to a file without lines: %s", (header, change) => {
    const [file] = parseDiff(lines("diff --git a/x b/x", ...header.split("\n"))).files;
    expect(file).toMatchObject({ path: "x", change, hunks: [] });
  });

  it("keeps the old path of a renamed file", () => {
    const text = lines("diff --git a/old b/new", "similarity index 97%", "rename from old", "rename to new");
    expect(parseDiff(text).files[0]).toMatchObject({ path: "new", oldPath: "old" });
  });

  it("reports a binary file", () => {
    const text = lines("diff --git a/b.bin b/b.bin", "index 1..2", "Binary files a/b.bin and b/b.bin differ");
    expect(parseDiff(text).files[0]).toMatchObject({ path: "b.bin", isBinary: true });
  });

  it("does not mistake content for a header", () => {
    const text = lines(
      "diff --git a/x b/x",
      "--- a/x",
      "+++ b/x",
      "@@ -1,2 +1,2 @@",
      "--- a/y",
      "-diff --git a/z b/z",
      "+++ b/y",
      "+@@ -1 +1 @@",
      "\\ No newline at end of file",
    );
    const { files } = parseDiff(text);
    expect(files).toHaveLength(1);
    expect(files[0]).toMatchObject({ path: "x", added: 2, removed: 2 });
  });

  it("makes hidden characters of the content visible", () => {
    const text = lines("diff --git a/x b/x", "--- a/x", "+++ b/x", "@@ -0,0 +1 @@", "+a\u202eb\u001b[31m\tc");
    expect(parseDiff(text).files[0]?.hunks[0]?.changes[0]?.content).toBe("a\\u202eb\\x1b[31m\tc");
  });

  it("reports that the rest was cut", () => {
    expect(parseDiff(`${MODIFIED}# The diff is longer than 4 MiB; the rest was cut.\n`)).toMatchObject({
      files: [{ added: 2 }],
      cut: "The diff is longer than 4 MiB; the rest was cut.",
    });
    expect(parseDiff("")).toEqual({ files: [], cut: null });
  });

  it("shows the first lines of a long file", () => {
    const body = Array.from({ length: 5000 }, (_, n) => `+line ${n}`);
    const text = lines("diff --git a/x b/x", "--- /dev/null", "+++ b/x", "@@ -0,0 +1,5000 @@", ...body);
    const hunks = parseDiff(text).files[0]?.hunks ?? [];
    expect(countLines(firstLines(hunks, 800))).toBe(800);
    expect(countLines(firstLines(hunks, 9000))).toBe(5000);
  });
});

it.each([
  ["plain.ts", "plain.ts"],
  ['"b/\\303\\274\\t.txt"', "b/ü\t.txt"],
  ['"b/\\"quoted\\" \\\\.txt"', 'b/"quoted" \\.txt'],
  ['"b/tab\\tü.txt"', "b/tab\tü.txt"],
])("parses the file name %s", (printed, name) => {
  expect(unquotePath(printed)).toBe(name);
});

it.each([
  ["@@ -29,5 +31,28 @@ class ImageCache {", { newStart: 31, newLines: 28 }, "lines 31 to 58, in class ImageCache"],
  ["@@ -0,0 +1 @@", { newStart: 1, newLines: 1 }, "line 1"],
  ["@@ -3,2 +0,0 @@", { newStart: 0, newLines: 0 }, "lines 3 to 4"],
])("a hunk %s is described by its place", (content, numbers, text) => {
  const hunk = { content, oldStart: 3, oldLines: 2, changes: [], ...numbers };
  expect(describeHunk(hunk)).toBe(text);
});
