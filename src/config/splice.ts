import { type Document, isCollection, isMap, isScalar, isSeq, type Pair, stringify, type YAMLMap } from "yaml";
import { keyText } from "./locate.ts";
import type { Path } from "./schema-walk.ts";

/** A value, and where it goes below the node at hand. */
export interface Setting {
  readonly path: Path;
  readonly value: unknown;
}

/**
 * Changes one value in the text and not a byte more; null if it cannot edit the form of that place. The library's own
 * output would move comments and spaces on unrelated lines.
 */
export function spliceValue(text: string, document: Document, { path, value }: Setting): string | null {
  const root = document.contents;
  if (root === null || (isScalar(root) && root.value === null)) return appendTo(text, path, value);
  return edit(text, root, { path, value });
}

function edit(text: string, node: unknown, setting: Setting): string | null {
  const { path, value } = setting;
  const [part, ...rest] = path;
  const below = { path: rest, value };
  if (part === undefined) return replaceNode(text, node, value);
  if (isSeq(node)) return edit(text, node.items[Number(part)], below);
  if (!isMap(node)) return null;
  const pair = node.items.find((item) => keyText(item.key) === String(part));
  if (pair === undefined) return node.flow ? addToFlow(text, node, setting) : insertKey(text, node, setting);
  return isEmpty(pair) ? fillEmpty(text, { map: node, pair }, below) : edit(text, pair.value, below);
}

function replaceNode(text: string, node: unknown, value: unknown): string | null {
  if (isCollection(node) && !node.flow) return null;
  const range = isScalar(node) || isCollection(node) ? node.range : null;
  return range ? replaceRange(text, [range[0], range[1]], render(value)) : null;
}

function isEmpty(pair: Pair): boolean {
  const { value } = pair;
  return value === null || (isScalar(value) && value.value === null && value.range?.[0] === value.range?.[1]);
}

function replaceRange(text: string, [from, to]: readonly [number, number], rendered: string): string {
  // The range of a block text (`|`) ends after its last line break.
  const tail = text.slice(from, to).endsWith("\n") ? lineBreak(text) : "";
  return `${text.slice(0, from)}${rendered}${tail}${text.slice(to)}`;
}

/** A one-line flow map gets a new key at its end. */
function addToFlow(text: string, map: YAMLMap, { path, value }: Setting): string | null {
  if (!map.range) return null;
  const [from, to] = map.range;
  const source = text.slice(from, to);
  if (source.includes("\n")) return null;
  const [key, ...rest] = path;
  const nested = rest.reduceRight<unknown>((inner, part) => ({ [part]: inner }), value);
  const entry = `${render(String(key))}: ${render(nested)}`;
  const body = source.slice(1, -1).trim().replace(/,$/, "");
  return replaceRange(text, [from, to], body === "" ? `{ ${entry} }` : `{ ${body}, ${entry} }`);
}

/** `key:` without a value: a value goes after the colon, keys go below. */
function fillEmpty(
  text: string,
  { map, pair }: { readonly map: YAMLMap; readonly pair: Pair },
  { path, value }: Setting,
): string | null {
  const keyEnd = isScalar(pair.key) ? pair.key.range?.[1] : undefined;
  const colon = keyEnd === undefined ? -1 : text.indexOf(":", keyEnd);
  if (colon < 0 || map.flow) return null;
  if (path.length === 0) return `${text.slice(0, colon + 1)} ${render(value)}${text.slice(colon + 1)}`;
  const lines = renderKeys(path, value, indentOf(text, map) + 2);
  return insertAfterLine(text, colon, lines);
}

/** A missing key goes below the last key of its map. */
function insertKey(text: string, map: YAMLMap, { path, value }: Setting): string | null {
  const end = endOf(map);
  if (end === null) return null;
  return insertAfterLine(text, end, renderKeys(path, value, indentOf(text, map)));
}

function appendTo(text: string, path: Path, value: unknown): string {
  const gap = text === "" || text.endsWith("\n") ? "" : lineBreak(text);
  return `${text}${gap}${renderKeys(path, value, 0).join(lineBreak(text))}${lineBreak(text)}`;
}

/** Offset of the last character that belongs to a value of the map. */
function endOf(node: unknown): number | null {
  if (isCollection(node) && !node.flow && node.items.length > 0) {
    const last = node.items.at(-1);
    if (!isMap(node)) return endOf(last);
    const pair = last as Pair;
    return isEmpty(pair) ? endOf(pair.key) : endOf(pair.value);
  }
  const range = isScalar(node) || isCollection(node) ? node.range : null;
  return range ? Math.max(range[0], range[1] - 1) : null;
}

function indentOf(text: string, map: YAMLMap): number {
  const key = map.items[0]?.key;
  const start = (isScalar(key) ? key.range?.[0] : undefined) ?? 0;
  return start - (text.lastIndexOf("\n", start - 1) + 1);
}

function insertAfterLine(text: string, offset: number, lines: readonly string[]): string {
  const feed = text.indexOf("\n", offset);
  const newline = lineBreak(text);
  if (feed < 0) return `${text}${newline}${lines.join(newline)}${newline}`;
  return `${text.slice(0, feed + 1)}${lines.join(newline)}${newline}${text.slice(feed + 1)}`;
}

function renderKeys(path: Path, value: unknown, indent: number): readonly string[] {
  return path.map((part, index) => {
    const key = `${" ".repeat(indent + index * 2)}${render(String(part))}:`;
    return index === path.length - 1 ? `${key} ${render(value)}` : key;
  });
}

/** A one-line value that is also valid inside brackets, where commas and brackets are special. */
function render(value: unknown): string {
  if (typeof value === "string" && /[\n\r,[\]{}]/.test(value)) return JSON.stringify(value);
  const flowCollectionPadding = !Array.isArray(value);
  return stringify(value, { lineWidth: 0, collectionStyle: "flow", flowCollectionPadding }).trimEnd();
}

function lineBreak(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
