import { AoError } from "../core/errors.ts";
import { type Path, schemasAt } from "./schema-walk.ts";

const SEGMENT = /"((?:[^"\\]|\\.)*)"|\[(\d+)\]|([^.[\]"]+)/y;

/** Splits `projects."my.app".symlinks[0]` into its parts; throws `usage` if it cannot be parsed. */
function splitPath(dotted: string): readonly string[] {
  const parts: string[] = [];
  let at = 0;
  while (at < dotted.length) {
    SEGMENT.lastIndex = at;
    const match = SEGMENT.exec(dotted);
    if (match === null) throw unreadable(dotted);
    parts.push(match[1] === undefined ? (match[2] ?? match[3] ?? "") : match[1].replace(/\\(.)/g, "$1"));
    at = SEGMENT.lastIndex;
    if (at === dotted.length) break;
    if (dotted[at] === ".") at += 1;
    else if (dotted[at] !== "[") throw unreadable(dotted);
    if (at === dotted.length) throw unreadable(dotted);
  }
  if (parts.length === 0) throw unreadable(dotted);
  return parts;
}

/**
 * The path that a person means by `dotted`. Keys may themselves contain dots (`projects.next.js.path`,
 * `reactions.session.stopped.action`): existing keys come first, then whatever the schema allows.
 */
export function resolvePath(dotted: string, tree: unknown): Path {
  const parts = splitPath(dotted);
  return search(parts, [], tree) ?? parts.map((part) => part);
}

/** The value at a dotted path, or undefined. */
export function getFrom(config: unknown, dotted: string): unknown {
  return lookUp(splitPath(dotted), config);
}

function lookUp(parts: readonly string[], node: unknown): unknown {
  if (parts.length === 0) return node;
  for (let count = parts.length; count > 0; count--) {
    const child = childOf(node, parts.slice(0, count).join("."));
    const found = child === undefined ? undefined : lookUp(parts.slice(count), child);
    if (found !== undefined) return found;
  }
  return undefined;
}

function search(parts: readonly string[], path: Path, node: unknown): Path | null {
  if (parts.length === 0) return path;
  const counts = parts.map((_, index) => index + 1);
  const existing = counts.filter((count) => childOf(node, parts.slice(0, count).join(".")) !== undefined).reverse();
  // Only maps have keys with dots, so a new key of a map is never the end of a path.
  const possible = counts.filter((count) => count === 1 || count < parts.length);
  for (const count of existing.length > 0 ? existing : possible) {
    const key = parts.slice(0, count).join(".");
    const next = [...path, Array.isArray(node) && /^\d+$/.test(key) ? Number(key) : key];
    if (schemasAt(next).length === 0) continue;
    const found = search(parts.slice(count), next, childOf(node, key));
    if (found !== null) return found;
  }
  return null;
}

function childOf(node: unknown, key: string): unknown {
  if (node === null || typeof node !== "object" || !Object.hasOwn(node, key)) return undefined;
  return (node as Record<string, unknown>)[key];
}

function unreadable(dotted: string): AoError {
  return new AoError({
    code: "usage",
    message: `cannot read the path ${JSON.stringify(dotted)}`,
    hint: 'Write it as defaults.runtime or projects."my.app".path.',
  });
}
