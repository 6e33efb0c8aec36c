import { expect, test } from "vitest";
import { markYaml } from "./mark-yaml.ts";

const shown = (line: string): string =>
  markYaml(line)
    .map(({ kind, text }) => `${kind}<${text}>`)
    .join("");

test.each([
  ["projects:", "key<projects:>"],
  ["  agent: claude-code", "text<  >key<agent:>text< claude-code>"],
  ["  # e2e needs patience", "text<  >comment<# e2e needs patience>"],
  ["retries: 2 # flaky", "key<retries:>text< 2>comment< # flaky>"],
  ['  "src/payment/**": human', 'text<  >key<"src/payment/**":>text< human>'],
  ["- run: npm test", "text<- >key<run:>text< npm test>"],
  ["url: http://x#y", "key<url:>text< http://x#y>"],
  ["just text", "text<just text>"],
  ['message: "a # b"', 'key<message:>text< "a # b">'],
  ["http://localhost:3000", "text<http://localhost:3000>"],
  ["", ""],
])("the line %j has the parts %s", (line, parts) => {
  expect(shown(line)).toBe(parts);
});

test("the parts of a line add up to the line", () => {
  for (const line of ["a: b: c", "  - - x:", "\tk:  v  # c ", "#", " : "]) {
    expect(
      markYaml(line)
        .map(({ text }) => text)
        .join(""),
    ).toBe(line);
  }
});
