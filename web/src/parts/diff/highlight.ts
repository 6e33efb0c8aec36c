import { type HunkData, type HunkTokens, markEdits, type TokenNode, tokenize } from "react-diff-view";
import { countLines } from "./parse-diff.ts";

/** Above this many lines, words are neither compared nor colored. */
const MAX_LINES = 2000;

const KEYWORDS =
  /\b(?:abstract|and|as|async|await|break|case|catch|class|const|continue|def|default|do|elif|else|end|enum|except|export|extends|finally|fn|for|from|func|function|if|impl|implements|import|in|instanceof|interface|is|let|match|mod|module|mut|new|not|or|package|private|protected|pub|public|raise|readonly|return|self|static|struct|super|switch|this|throw|trait|try|type|typeof|union|use|var|void|while|with|yield)\b/g;

/** Prose and data have no keywords. */
const PLAIN = /\.(?:md|txt|json|ya?ml|lock|csv|svg|html?|css|toml|log)$|(?:^|\/)[^./]+$/i;

/** Marks changed words, and keywords in code files; null: the file is too long. */
export function highlight(hunks: HunkData[], path: string): HunkTokens | null {
  if (countLines(hunks) > MAX_LINES) return null;
  const enhancers = [markEdits(hunks, { type: "block" })];
  if (PLAIN.test(path)) return tokenize(hunks, { enhancers });
  return tokenize(hunks, { enhancers, highlight: true, language: "code", refractor: { highlight: markKeywords } });
}

/** Splits a text at its keywords: good enough for every language, without the weight of a grammar. */
export function markKeywords(text: string): TokenNode[] {
  const nodes: TokenNode[] = [];
  let last = 0;
  for (const found of text.matchAll(KEYWORDS)) {
    if (found.index > last) nodes.push({ type: "text", value: text.slice(last, found.index) });
    nodes.push({
      type: "element",
      tagName: "span",
      properties: { className: ["keyword"] },
      children: [{ type: "text", value: found[0] }],
    });
    last = found.index + found[0].length;
  }
  if (last < text.length) nodes.push({ type: "text", value: text.slice(last) });
  return nodes;
}
