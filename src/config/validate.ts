import type { z } from "zod";
import { nearest, suggest } from "./did-you-mean.ts";
import type { MissingVariable } from "./expand.ts";
import { type Finding, formatPath } from "./problem.ts";
import { WrittenConfig } from "./schema.ts";
import { keysAt, type Path } from "./schema-walk.ts";

type Issue = z.core.$ZodIssue;

export type Validation =
  | { readonly ok: true; readonly written: WrittenConfig }
  | { readonly ok: false; readonly findings: readonly Finding[] };

const SECRET = /token|secret|password|passwd|api.?key|webhook(?!s$)|credential/i;

/** Validates the expanded tree; `raw` is the tree as written, so that no secret from the environment is shown. */
export function validate(expanded: unknown, raw: unknown): Validation {
  const result = WrittenConfig.safeParse(expanded ?? {});
  if (result.success) return { ok: true, written: result.data };
  return { ok: false, findings: result.error.issues.flatMap((issue) => fromIssue(issue, [], raw)) };
}

/** Reports a value that is wrong because its variable is unset as exactly that. */
export function blameVariable(finding: Finding, missing: readonly MissingVariable[]): Finding {
  const variable = missing.find(({ path }) => formatPath(path) === formatPath(finding.path));
  if (variable === undefined) return finding;
  const hint = `set it, or write a default: \${${variable.name}:-value}`;
  return { ...finding, message: `the environment variable ${variable.name} is not set`, hint };
}

/** Describes an issue at a place of the file for its author. */
export function fromIssue(issue: Issue, base: Path, raw: unknown): Finding[] {
  const path = [...base, ...issue.path.map((part) => (typeof part === "symbol" ? String(part) : part))];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => unknownKey(path, key));
    case "invalid_key":
      return [
        {
          path,
          at: "key",
          message: `"${String(path.at(-1))}": ${issue.issues[0]?.message ?? issue.message}`,
          hint: null,
        },
      ];
    case "invalid_union":
      return fromUnion(issue, path, raw);
    default:
      return [{ path, at: "value", ...describe(issue, path, raw) }];
  }
}

function unknownKey(path: Path, key: string): Finding {
  return { path: [...path, key], at: "key", message: "unknown key", hint: suggest(key, keysAt(path)) };
}

/**
 * The author most likely meant the branch whose own shape matched; if there is none, the union's own message is used.
 */
function fromUnion(issue: Extract<Issue, { code: "invalid_union" }>, path: Path, raw: unknown): Finding[] {
  const meant = issue.errors.find((branch) => branch.length > 0 && branch.every(isInside));
  if (meant !== undefined) return meant.flatMap((inner) => fromIssue(inner, path, raw));
  return [{ path, at: "value", message: `${issue.message}, found ${show(path, raw)}`, hint: null }];
}

function isInside(issue: Issue): boolean {
  return issue.path.length > 0 || issue.code === "unrecognized_keys";
}

function describe(issue: Issue, path: Path, raw: unknown): { message: string; hint: string | null } {
  const found = valueAt(raw, path);
  if (found === undefined) return { message: "missing", hint: misspelled(path, raw) };
  const shown = show(path, raw);
  switch (issue.code) {
    case "invalid_type":
      return { message: `${expected(issue)}, found ${shown}`, hint: typeHint(issue.expected, found) };
    case "invalid_value": {
      const allowed = issue.values.map(String);
      const near = typeof found === "string" ? nearest(found, allowed) : null;
      const message = `expected ${allowed.length === 1 ? "" : "one of "}${allowed.join(", ")}, found ${shown}`;
      return { message, hint: near === null ? null : `did you mean "${near}"?` };
    }
    case "too_small":
      return { message: tooSmall(issue, shown), hint: null };
    case "too_big":
      return { message: `expected at most ${issue.maximum}, found ${shown}`, hint: null };
    default:
      return { message: `${issue.message}, found ${shown}`, hint: null };
  }
}

/** A missing key may be there under a misspelled name. */
function misspelled(path: Path, raw: unknown): string | null {
  const parent = valueAt(raw, path.slice(0, -1));
  const name = String(path.at(-1));
  const near = parent !== null && typeof parent === "object" ? nearest(name, Object.keys(parent)) : null;
  return near === null ? null : `did you mean "${name}" by "${near}"?`;
}

function expected(issue: Extract<Issue, { code: "invalid_type" }>): string {
  if (!issue.message.startsWith("Invalid input")) return issue.message;
  const names: Readonly<Record<string, string>> = {
    string: "a text",
    number: "a number",
    int: "a whole number",
    boolean: "true or false",
    object: "a map of keys",
    record: "a map of keys",
    array: "a list",
  };
  return `expected ${names[issue.expected] ?? issue.expected}`;
}

function typeHint(wanted: string, found: unknown): string | null {
  if (wanted === "string" && (typeof found === "number" || typeof found === "boolean")) return "quote it";
  if (wanted === "string" && found === null) return 'the value is empty; an unquoted ~ is empty too, write "~"';
  if (wanted === "array") return "write it as [a, b]";
  return null;
}

function tooSmall(issue: Extract<Issue, { code: "too_small" }>, shown: string): string {
  if (issue.origin === "string" || issue.origin === "array") return "expected something, found nothing";
  return `expected ${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}, found ${shown}`;
}

/** The value as written, shortened, and never a secret. */
function show(path: Path, raw: unknown): string {
  if (path.some((part) => typeof part === "string" && SECRET.test(part))) return "a hidden value";
  const value = valueAt(raw, path);
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map of keys";
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}..."` : text;
}

function valueAt(tree: unknown, path: Path): unknown {
  let node = tree;
  for (const part of path) {
    if (node === null || typeof node !== "object" || !Object.hasOwn(node, part)) return undefined;
    node = (node as Record<string | number, unknown>)[part];
  }
  return node;
}
