import type { Path } from "./schema-walk.ts";

/**
 * The tree without the value at `path`: removes its nearest written parent, and a list as a whole, so that no index
 * moves.
 */
export function prune(tree: unknown, path: Path): unknown {
  const cut: (string | number)[] = [];
  let node = tree;
  for (const part of path) {
    if (node === null || typeof node !== "object" || Array.isArray(node) || !Object.hasOwn(node, part)) break;
    cut.push(part);
    node = (node as Record<string, unknown>)[String(part)];
  }
  return remove(tree, cut);
}

/** Is one path equal to or above the other? */
export function overlap(a: Path, b: Path): boolean {
  const common = Math.min(a.length, b.length);
  return a.slice(0, common).every((part, index) => String(part) === String(b[index]));
}

function remove(tree: unknown, path: Path): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return {};
  const entries = Object.entries(tree as object).filter(([key]) => key !== String(first) || rest.length > 0);
  return Object.fromEntries(entries.map(([key, item]) => [key, key === String(first) ? remove(item, rest) : item]));
}
