import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const css = readFileSync(join(root, "web/src/styles/tokens.css"), "utf8");

type Tokens = Readonly<Record<string, string>>;

function tokensOf(selector: string): Tokens {
  const block = css.slice(css.indexOf(`${selector} {`)).split("}")[0] ?? "";
  return Object.fromEntries([...block.matchAll(/--([\w-]+): (#[\da-f]{6});/g)].map(([, name, value]) => [name, value]));
}

const DARK = tokensOf(":root");
const THEMES: Readonly<Record<string, Tokens>> = {
  dark: DARK,
  light: { ...DARK, ...tokensOf(':root[data-theme="light"]') },
};

/** The WCAG 2 formula. */
function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const GROUNDS = ["ground", "surface", "raised", "sunk", "sel"];
const DIFF = ["d-add", "d-del"];
const TEXT = ["ink", "ink-2", "ink-3", "you", "bad", "good", "live"];
const MARKS = ["line-strong", "you-fill", "bad-fill", "good-fill", "live-fill", "past"];

/** Foreground, background, and the minimum contrast. */
const PAIRS: readonly (readonly [least: number, colors: readonly string[], grounds: readonly string[]])[] = [
  [4.5, TEXT, GROUNDS],
  [3, MARKS, GROUNDS],
  [4.5, ["ink", "ink-2", "you"], ["you-bg"]],
  [4.5, ["ink", "ink-2", "bad"], ["bad-bg"]],
  [4.5, ["ink", "ink-2", "good"], ["good-bg"]],
  [4.5, ["ink", "ink-2", "live"], ["live-bg"]],
  [4.5, ["on-you"], ["you-fill"]],
  [3, ["on-bad"], ["bad-fill"]],
  [3, ["on-good"], ["good-fill"]],
  [4.5, ["ground"], ["ink"]],
  [4.5, ["ink", "ink-2", "ink-3"], DIFF],
  [4.5, ["ink", "live"], ["d-add-s", "d-del-s"]],
];

describe.each(Object.entries(THEMES))("in the %s theme", (_, tokens) => {
  it.each(PAIRS)("at least %d: %j on %j", (least, colors, grounds) => {
    const weak = colors.flatMap((color) =>
      grounds.flatMap((ground) => {
        const value = contrast(tokens[color] ?? "", tokens[ground] ?? "");
        return value >= least ? [] : [`${color} on ${ground}: ${value.toFixed(2)}`];
      }),
    );
    expect(weak).toEqual([]);
  });
});

it("matches the formula", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrast("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
});
