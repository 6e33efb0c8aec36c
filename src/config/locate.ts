import { type Document, isAlias, isMap, isNode, isPair, isScalar, isSeq, type LineCounter, type Pair } from "yaml";
import type { Finding } from "./problem.ts";
import type { Path } from "./schema-walk.ts";

/**
 * Line and column of a finding, counted from 1; those of the nearest written parent if the path itself is not written.
 */
export function locate(
  document: Document,
  lines: LineCounter,
  finding: Pick<Finding, "path" | "at">,
): { readonly line: number; readonly column: number } {
  const offset = offsetOf(document, finding.path, finding.at);
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

function offsetOf(document: Document, path: Path, at: "key" | "value"): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [index, part] of path.entries()) {
    const step = stepInto(document, node, part);
    if (step === null) return offset;
    const isLast = index === path.length - 1;
    offset = (isLast && at === "value" ? startOf(step.value) : null) ?? step.offset;
    node = step.value;
  }
  return offset;
}

function stepInto(document: Document, node: unknown, part: string | number): { value: unknown; offset: number } | null {
  const target = isAlias(node) ? node.resolve(document) : node;
  if (isSeq(target)) {
    const item = target.items[Number(part)];
    return item === undefined ? null : { value: item, offset: startOf(item) ?? 0 };
  }
  const pair = isMap(target) ? findPair(document, target.items, String(part)) : null;
  return pair === null ? null : { value: pair.value, offset: startOf(pair.key) ?? 0 };
}

/** A key of the map, or of a map merged into it with `<<`. */
function findPair(document: Document, items: readonly Pair[], key: string): Pair | null {
  const own = items.find((pair) => isPair(pair) && keyText(pair.key) === key);
  if (own !== undefined) return own;
  for (const pair of items) {
    if (keyText(pair.key) !== "<<") continue;
    const source = isAlias(pair.value) ? pair.value.resolve(document) : pair.value;
    const found = isMap(source) ? findPair(document, source.items, key) : null;
    if (found !== null) return found;
  }
  return null;
}

/** The text of a key, as it appears in paths. */
export function keyText(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}

function startOf(node: unknown): number | null {
  return isNode(node) ? (node.range?.[0] ?? null) : null;
}
