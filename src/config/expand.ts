import { expectsNoText, type Path } from "./schema-walk.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** A variable that the file uses and the environment lacks; reported where the value is used. */
export interface MissingVariable {
  readonly path: Path;
  readonly name: string;
}

const EXPRESSION = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * Replaces `${VAR}` and `${VAR:-default}` in every string of the tree; `$${` is a literal `${`. A missing variable
 * leaves the expression as is and is listed.
 */
export function expand(
  tree: unknown,
  env: Env,
): { readonly value: unknown; readonly missing: readonly MissingVariable[] } {
  const missing: MissingVariable[] = [];
  return { value: expandNode(tree, [], { env, missing }), missing };
}

function expandNode(
  node: unknown,
  path: Path,
  { env, missing }: { readonly env: Env; readonly missing: MissingVariable[] },
): unknown {
  if (typeof node === "string") return expandText(node, path, { env, missing });
  if (Array.isArray(node)) return node.map((item, index) => expandNode(item, [...path, index], { env, missing }));
  if (node === null || typeof node !== "object") return node;
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    const expanded = expandNode(value, [...path, key], { env, missing });
    // A plain assignment to "__proto__" would be swallowed and hide the key from validation.
    Object.defineProperty(out, key, { value: expanded, enumerable: true, writable: true, configurable: true });
  }
  return out;
}

function expandText(
  text: string,
  path: Path,
  { env, missing }: { readonly env: Env; readonly missing: MissingVariable[] },
): unknown {
  if (!text.includes("${")) return text;
  let lacks = false;
  const out = text.replace(EXPRESSION, (whole, name: string | undefined, fallback: string | undefined) => {
    if (name === undefined) return "${";
    const value = env[name];
    if (value !== undefined && (value !== "" || fallback === undefined)) return value;
    if (fallback !== undefined) return fallback;
    missing.push({ path, name });
    lacks = true;
    return whole;
  });
  return !lacks && out !== text && expectsNoText(path) ? readPlain(out) : out;
}

/** Environment variables are strings; where only a number or boolean is allowed, they are parsed as one. */
function readPlain(text: string): unknown {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  return text === "true" ? true : text === "false" ? false : text;
}
