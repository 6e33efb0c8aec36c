import { describe, expect, it } from "vitest";
import { renderTable } from "./table.ts";
import { cut, widthOf } from "./text-width.ts";

describe("renderTable", () => {
  it("aligns columns, wide characters included, and leaves no space at the end", () => {
    const lines = renderTable([
      ["ID", "TITLE"],
      ["a", "one"],
      ["日本", "two"],
    ]);
    expect(lines).toEqual(["ID    TITLE", "a     one", "日本  two"]);
  });

  it("cuts the last column to the width of the terminal", () => {
    expect(renderTable([["id", "a long title that goes on"]], { columns: 14 })).toEqual(["id  a long ti…"]);
  });

  it("keeps text of others from moving the cursor", () => {
    expect(renderTable([["a\u001b[2Jb", "x\ny"]])).toEqual(["a\\x1b[2Jb  x ⏎ y"]);
  });

  it("colors after measuring, so that colors take no room", () => {
    const paint = (text: string, row: number): string => (row === 0 ? `<${text}>` : text);
    expect(
      renderTable(
        [
          ["ID", "B"],
          ["long", "c"],
        ],
        { paint },
      ),
    ).toEqual(["<ID>    <B>", "long  c"]);
  });

  it("puts figures to the right", () => {
    const rows = [
      ["ID", "N", "X"],
      ["a", "7", "x"],
      ["b", "1234", "y"],
    ];
    expect(renderTable(rows, { right: [1] })).toEqual(["ID     N  X", "a      7  x", "b   1234  y"]);
  });

  it("gives nothing for nothing", () => {
    expect(renderTable([])).toEqual([]);
  });
});

describe("widths", () => {
  it.each([
    ["abc", 3],
    ["日本語", 6],
    ["e\u0301", 1],
    ["😀", 2],
  ])("%j takes %i columns", (text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  it("never cuts through a character", () => {
    expect(cut("😀😀😀", 4)).toBe("😀…");
  });

  it("makes one line of several, and shows what was hidden", () => {
    expect(renderTable([[" a\r\n\tb\u202e "]])).toEqual(["a\\r ⏎ →   b\\u202e"]);
  });
});
