import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type Style, style } from "./style.ts";
import { forTerminal, jsonForTerminal, pictureForTerminal } from "./terminal-text.ts";

/** What controls a terminal, or what a reader cannot see. */
const STEERING: readonly (readonly [string, string])[] = [
  ["clearing the screen", "\u001b[2J"],
  ["erasing the line above", "\u001b[1A\u001b[2K"],
  ["hidden text", "\u001b[8m"],
  ["a title", "\u001b]0;title\u0007"],
  ["the clipboard", "\u001b]52;c;QQ==\u0007"],
  ["a link", "\u001b]8;;http://evil.example\u001b\\"],
  ["a device control string", "\u001bP+q544e\u001b\\"],
  ["a query that the terminal answers", "\u001b[6n"],
  ["a reset", "\u001bc"],
  ["another set of characters", "\u001b(0"],
  ["a color with more parameters", "\u001b[31;8m"],
  ["an incomplete escape", "\u001b["],
  ["C1 control sequences", "\u009b2J"],
  ["C1 operating system commands", "\u009d0;title\u009c"],
  ["backspaces", "rm\b\bls"],
  ["a carriage return", "evil\rgood"],
  ["a vertical tab and a form feed", "\u000b\u000c"],
  ["shift out", "\u000e"],
  ["delete", "\u007f"],
  ["NUL", "\u0000"],
  ["a bell", "\u0007"],
  ["reversed text", "\u202eevil"],
  ["isolated text", "\u2066evil\u2069"],
  ["direction marks", "\u200e\u200f\u061c"],
  ["embedded directions", "\u202aevil\u202b\u202c\u202d"],
  ["characters without width", "\u200b\u2060\ufeff"],
  ["line and paragraph separators", "\u2028\u2029"],
  ["tags", "\u{e0041}\u{e007f}"],
  ["variation selectors", "a\ufe0f\u{e0100}"],
  ["half of a character", "\ud800"],
  ["a soft hyphen", "\u00ad"],
];
const OBEYED = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

describe("a terminal is not controlled by", () => {
  it.each(STEERING)("%s", (_, text) => {
    expect(forTerminal(`before ${text} after`)).not.toMatch(OBEYED);
  });

  it.each(STEERING)("%s in a picture of ours", (_, text) => {
    expect(pictureForTerminal(`before ${text} after`)).not.toMatch(OBEYED);
  });

  it.each(STEERING)("%s in JSON, which stays the same JSON", (_, text) => {
    const json = JSON.stringify({ text });
    expect(jsonForTerminal(json).replaceAll(/\\u\w{4}/g, "")).not.toMatch(OBEYED);
    expect(JSON.parse(jsonForTerminal(json))).toEqual({ text });
  });
});

it.each(Object.keys(style({})) as (keyof Style)[])("keeps our own colors: %s", (name) => {
  vi.stubEnv("NO_COLOR", "");
  vi.stubEnv("TERM", "xterm");
  onTestFinished(() => void vi.unstubAllEnvs());
  const paint = style({ isTTY: true })[name];
  expect(paint("x")).not.toBe("x");
  expect(forTerminal(paint("x"))).toBe(paint("x"));
});

it("keeps every plain color of a picture, which foreign text cannot use to hide", () => {
  const picture = "\u001b[37m.\u001b[0m\u001b[90m|\u001b[0m\u001b[35mY\u001b[0m";
  expect(pictureForTerminal(picture)).toBe(picture);
  expect(forTerminal("\u001b[37mwhite")).toBe("\\x1b[37mwhite");
});
