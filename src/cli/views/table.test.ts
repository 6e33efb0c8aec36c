import { describe, expect, it } from "vitest";
import { renderTable } from "./table.ts";
import { cut, widthOf } from "./text-width.ts";

describe("renderTable", () => {
  it("aligns columns, including wide characters, and leaves no trailing space", () => {
    const lines = renderTable([
      ["ID", "TITLE"],
      ["a", "one"],
      ["日本", "two"],
    ]);
    expect(lines).toEqual(["ID    TITLE", "a     one", "日本  two"]);
  });

  it("cuts the last column to the terminal's width", () => {
    expect(renderTable([["id", "a long title that goes on"]], { columns: 14 })).toEqual(["id  a long ti…"]);
  });

  it("keeps foreign text from moving the cursor", () => {
    expect(renderTable([["a\u001b[2Jb", "x\ny"]])).toEqual(["a\\x1b[2Jb  x ⏎ y"]);
  });

  it("colors after measuring, so that colors take no space", () => {
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

  it("right-aligns numbers", () => {
    const rows = [
      ["ID", "N", "X"],
      ["a", "7", "x"],
      ["b", "1234", "y"],
    ];
    expect(renderTable(rows, { right: [1] })).toEqual(["ID     N  X", "a      7  x", "b   1234  y"]);
  });

  it("returns nothing for no rows", () => {
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

  it("never splits a character", () => {
    expect(cut("😀😀😀", 4)).toBe("😀…");
  });

  it("joins several lines into one, and shows hidden characters", () => {
    expect(renderTable([[" a\r\n\tb\u202e "]])).toEqual(["a\\r ⏎ →   b\\u202e"]);
  });
});
