import { expect, it } from "vitest";
import { lastShown, withoutEscapes } from "./terminal-text.ts";

it.each([
  ["\u001b[1;32mgreen\u001b[0m", "green"],
  ["\u001b]0;a title\u0007text", "text"],
  ['\u001b[?2004h{"type":"done"}\u001b[K', '{"type":"done"}'],
  ["cut \u001b[", "cut "],
])("%j without escapes is %j", (text, plain) => {
  expect(withoutEscapes(text)).toBe(plain);
});

it.each([
  ["10%\r50%\r100%\r", "100%"],
  ["plain\r", "plain"],
  ["", ""],
])("for the line %j a terminal shows %j", (line, shown) => {
  expect(lastShown(line)).toBe(shown);
});
