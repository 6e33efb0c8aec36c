import { expect, it } from "vitest";
import { loadMarkdown } from "./markdown.ts";
import { style } from "./style.ts";
import { wrapText } from "./styled-text.ts";

const marked = { ...style({}), bold: (text: string) => `<b>${text}</b>`, cyan: (text: string) => `<c>${text}</c>` };
const render = async (text: string, width = 40): Promise<readonly string[]> =>
  (await loadMarkdown({ style: { ...marked, italic: (word) => `<i>${word}</i>` }, width }))(text);

it.each([
  ["# Plan\ntext", ["<b>Plan</b>", "", "text"]],
  ["a **b** and *c* `d`", ["a <b>b</b> and <i>c</i> <c>d</c>"]],
  ["- one\n- two\n  - three\n1. x\n2. y", ["• one", "• two", "  • three", "1. x", "2. y"]],
  ["- [x] done\n- [ ] open", ["• ☑ done", "• ☐ open"]],
  ["```js\nlet a;\n  b\n```", ["│ <c>let a;</c>", "│ <c>  b</c>"]],
  ["> quoted", ["▌ quoted"]],
  ["see [the docs](https://x.dev)", ["see <c>the docs</c> (https://x.dev)"]],
  ["<https://x.dev>", ["<c>https://x.dev</c>"]],
  ["| a | b |\n|---|---|\n| long | x |", ["<b>a     b</b>", "────  ─", "long  x"]],
  ["<div>hi</div>", ["<div>hi</div>"]],
  ["", []],
])("%j", async (text, lines) => {
  expect(await render(text)).toEqual(lines);
});

it("wraps between words, and inside words that are too long", () => {
  expect(wrapText("one two three", 8)).toEqual(["one two", "three"]);
  expect(wrapText("abcdefghijkl", 8)).toEqual(["abcdefgh", "ijkl"]);
  expect(wrapText(`a ${"ü".repeat(200_000)}`, 1000)).toHaveLength(201);
  expect(wrapText("ü".repeat(200_000), Number.POSITIVE_INFINITY)).toHaveLength(1);
  expect(wrapText("  a\n\n日本語日本語", 8)).toEqual(["  a", "", "日本語日", "本語"]);
});
