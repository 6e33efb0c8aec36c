import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../testing/temp.ts";
import { countOf, describeChanges, diffOf, readPresent, showPath } from "./file-diff.ts";

describe("a file change", () => {
  it("is a diff with context lines", () => {
    const before = "one\ntwo\nthree\nfour\nfive\nsix\n";
    const diff = diffOf({ path: "a.txt", before, after: before.replace("five", "5\n5b") });
    expect(diff.split("\n")).toEqual([
      "--- a.txt",
      "+++ a.txt",
      "@@ -2,5 +2,6 @@",
      " two",
      " three",
      " four",
      "-five",
      "+5",
      "+5b",
      " six",
    ]);
    expect(countOf(diff)).toBe(" (+2 -1)");
  });

  it("shows that the final newline is removed", () => {
    expect(diffOf({ path: "a", before: "x\n", after: "x" })).toContain("\\ No newline at end of file");
  });

  it("that creates a file is its content, and one that deletes it is a diff", () => {
    expect(describeChanges([{ path: "new.md", before: null, after: "# New\n\ttext\n" }])).toEqual({
      what: "create new.md",
      detail: { format: "text", text: "# New\n\ttext\n" },
    });
    expect(describeChanges([{ path: "old.md", before: "gone\n", after: null }])).toEqual({
      what: "delete old.md (+0 -1)",
      detail: { format: "diff", text: "--- old.md\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-gone" },
    });
  });

  it("of several files lists them all", () => {
    const { what, detail } = describeChanges([
      { path: "a", before: "1\n", after: "2\n" },
      { path: "b", before: null, after: "new\n" },
    ]);
    expect(what).toBe("edit a, b (+2 -1)");
    expect(detail.text).toBe("--- a\n+++ a\n@@ -1,1 +1,1 @@\n-1\n+2\n--- /dev/null\n+++ b\n@@ -0,0 +1,1 @@\n+new");
  });
});

describe("a file in the workspace", () => {
  const aFolder = (): string => {
    const dir = tempDir();
    mkdirSync(join(dir, "folder"));
    writeFileSync(join(dir, "text"), "hello");
    writeFileSync(join(dir, "binary"), "a\0b");
    writeFileSync(join(dir, "large"), "x".repeat(1024 * 1024 + 1));
    return dir;
  };

  it.each([
    ["text", "hello"],
    ["none", null],
    ["binary", { unknown: "is not a text file" }],
    ["large", { unknown: "is too large to compare" }],
    ["folder", { unknown: "cannot be read" }],
  ])("%s is read as %o", (path, present) => {
    const dir = aFolder();
    expect(readPresent(dir, path)).toEqual(present);
    expect(readPresent("/", join(dir, path))).toEqual(present);
  });

  it.each([
    ["/w/src/a.ts", "src/a.ts"],
    ["src/a.ts", "src/a.ts"],
    ["/etc/passwd", "/etc/passwd"],
    ["../x", "../x"],
    ["/w", "/w"],
  ])("%s is shown as %s", (path, shown) => {
    expect(showPath("/w", path)).toBe(shown);
  });
});
