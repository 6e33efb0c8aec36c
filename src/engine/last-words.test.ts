import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createNodeHost } from "../platform/host.ts";
import { createSilentLog } from "../platform/log.ts";
import { tempDir } from "../testing/temp.ts";
import { readLastWords } from "./run-end.ts";

const { fs } = createNodeHost({ log: createSilentLog(), env: {} });

it.each([
  ["nothing", "", null],
  ["one line", "no key\n", "no key"],
  ["several lines", "first\n\n  the last, é \n\n", "the last, é"],
  ["a crash of a Node program", "x.mjs:1\nError: no key\n    at x.mjs:1:1\n\nNode.js v20.20.2\n", "Error: no key"],
  ["a crash with details", "Error: no key\n    at a {\n  code: 'E'\n}\n\nNode.js v20.20.2\n", "Error: no key"],
  ["colors", "\u001b[31mno key\u001b[0m\n", "no key"],
  ["a long line", `${"x".repeat(5000)}\n`, `${"x".repeat(299)}…`],
  ["much before it", `${"line\n".repeat(100_000)}no key\n`, "no key"],
])("the last words after %s", async (_, text, words) => {
  const path = join(tempDir(), "err");
  writeFileSync(path, text);
  expect(await readLastWords(fs, path)).toBe(words);
});

it("are null without a file", async () => {
  expect(await readLastWords(fs, join(tempDir(), "err"))).toBeNull();
});
