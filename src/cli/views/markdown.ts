import type { Token, Tokens } from "marked";
import type { Style } from "./style.ts";
import { type Piece, wrapPieces } from "./styled-text.ts";
import { widthOf } from "./text-width.ts";
import { visible } from "./visible.ts";

export interface MarkdownOptions {
  readonly style: Style;
  /** Columns; lines of code are never wrapped. */
  readonly width: number;
}

/** Creates a Markdown renderer for a terminal: headings, lists, code, quotes, tables, emphasis. */
export async function loadMarkdown(options: MarkdownOptions): Promise<(text: string) => readonly string[]> {
  const { lexer } = await import("marked");
  return (text) => {
    // Nothing in the text may control the terminal; a tab would break the indentation.
    const source = visible(text.replaceAll("\t", "    "));
    return trimmed(renderBlocks(lexer(source), options));
  };
}

function renderBlocks(tokens: readonly Token[], options: MarkdownOptions): readonly string[] {
  return tokens.flatMap((token) => renderBlock(token, options));
}

function renderBlock(token: Token, options: MarkdownOptions): readonly string[] {
  const { style, width } = options;
  switch (token.type) {
    case "space":
      return [""];
    // The list item's bullet shows it.
    case "checkbox":
      return [];
    case "hr":
      return [style.dim("─".repeat(Math.min(width, 40)))];
    case "heading":
      return [...wrapPieces(inline(token.tokens ?? [], style, style.bold), width), ""];
    case "code":
      return token.text.split("\n").map((line: string) => `${style.dim("│")} ${style.cyan(line)}`);
    case "blockquote":
      return renderBlocks(token.tokens ?? [], { style, width: width - 2 }).map((line) => `${style.dim("▌")} ${line}`);
    case "list":
      return renderList(token as Tokens.List, options);
    case "table":
      return renderTable(token as Tokens.Table, style);
    case "paragraph":
    case "text":
      return wrapPieces(inline(("tokens" in token && token.tokens) || [token], style), width);
    default:
      return wrapPieces([{ text: token.raw.trimEnd() }], width);
  }
}

function renderList(list: Tokens.List, { style, width }: MarkdownOptions): readonly string[] {
  const first = typeof list.start === "number" ? list.start : 1;
  return list.items.flatMap((item, n) => {
    const box = item.task ? (item.checked === true ? "☑ " : "☐ ") : "";
    const mark = list.ordered ? `${first + n}. ` : `• ${box}`;
    const room = width - widthOf(mark);
    const [head = "", ...rest] = trimmed(renderBlocks(item.tokens, { style, width: room }));
    const indent = " ".repeat(widthOf(mark));
    return [`${style.dim(mark)}${head}`, ...rest.map((line) => (line === "" ? "" : `${indent}${line}`))];
  });
}

function renderTable({ header, rows }: Tokens.Table, style: Style): readonly string[] {
  const cells = [header, ...rows].map((row) => row.map(({ tokens }) => inline(tokens, style)));
  const widths = header.map((_, column) => Math.max(...cells.map((row) => widthOf(plain(row[column] ?? [])))));
  const lines = cells.map((row) =>
    row
      .map((cell, column) => {
        const text = cell.map(({ text, paint }) => paint?.(text) ?? text).join("");
        return text + " ".repeat((widths[column] ?? 0) - widthOf(plain(cell)));
      })
      .join("  ")
      .trimEnd(),
  );
  const [head = "", ...body] = lines;
  return [style.bold(head), style.dim(widths.map((width) => "─".repeat(width)).join("  ")), ...body];
}

function inline(tokens: readonly Token[], style: Style, around?: Piece["paint"]): readonly Piece[] {
  const inner = (token: Token, paint: Piece["paint"]): readonly Piece[] =>
    "tokens" in token && token.tokens !== undefined ? inline(token.tokens, style, paint) : [piece(token, paint)];
  return tokens.flatMap((token): readonly Piece[] => {
    switch (token.type) {
      case "strong":
        return inner(token, style.bold);
      case "em":
        return inner(token, style.italic);
      case "del":
        return inner(token, style.dim);
      case "codespan":
        return [{ text: token.text, paint: style.cyan }];
      case "br":
        return [{ text: "\n" }];
      case "link": {
        const shown = inner(token, around ?? style.cyan);
        return plain(shown) === token.href ? shown : [...shown, { text: ` (${token.href})`, paint: style.dim }];
      }
      default:
        return inner(token, around);
    }
  });
}

function piece(token: Token, paint: Piece["paint"]): Piece {
  const text = "text" in token && typeof token.text === "string" ? token.text : token.raw;
  return paint === undefined ? { text } : { text, paint };
}

function plain(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join("");
}

function trimmed(lines: readonly string[]): readonly string[] {
  const from = lines.findIndex((line) => line !== "");
  const to = lines.findLastIndex((line) => line !== "");
  return from < 0 ? [] : lines.slice(from, to + 1).filter((line, n, all) => line !== "" || all[n - 1] !== "");
}
