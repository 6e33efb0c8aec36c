import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../testing/temp.ts";
import { appendLine } from "./append-line.ts";

const aFile = (text?: string): string => {
  const file = join(tempDir(), "lines.jsonl");
  if (text !== undefined) writeFileSync(file, text);
  return file;
};

describe("a line that is appended", () => {
  it.each([
    ["a missing file", undefined, "new\n"],
    ["an empty file", "", "new\n"],
    ["a whole line", "old\n", "old\nnew\n"],
    ["a torn line", "old\nto", "old\nto\nnew\n"],
    ["a line torn inside a letter", Buffer.from("old\n\u00e9").subarray(0, 5), "old\n\ufffd\nnew\n"],
  ])("to %s is a line of its own", (_, before, after) => {
    const file = aFile();
    if (before !== undefined) writeFileSync(file, before);
    for (const flush of [false, true]) {
      appendLine(file, "new", { flush });
      expect(readFileSync(file, "utf8")).toBe(flush ? `${after}new\n` : after);
    }
  });

  it("is for its owner only", () => {
    const file = aFile();
    appendLine(file, "new");
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("starts a new file once the old one is too large, and says so", () => {
    const file = aFile("12345\n");
    expect(appendLine(file, "new", { maxBytes: 6 })).toBe(false);
    expect(appendLine(file, "newer", { maxBytes: 6 })).toBe(true);
    expect([file, `${file}.1`].map((path) => readFileSync(path, "utf8"))).toEqual(["newer\n", "12345\nnew\n"]);
  });
});
