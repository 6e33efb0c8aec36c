import { isDeepStrictEqual } from "node:util";
import { type Document, parse, stringify } from "yaml";
import { AoError } from "../core/errors.ts";
import { resolvePath } from "./dotted-path.ts";
import type { Env } from "./expand.ts";
import { parseConfig, readYaml } from "./parse.ts";
import type { CheckSettings } from "./plugin-settings.ts";
import { type ConfigProblem, describeProblem, formatPath } from "./problem.ts";
import { overlap } from "./prune.ts";
import { expectsText, type Path } from "./schema-walk.ts";
import { type Setting, spliceValue } from "./splice.ts";

export interface SetOptions {
  /** For messages. */
  readonly fileName?: string;
  /** For the check of the result. */
  readonly env?: Env;
  readonly settings?: CheckSettings;
}

/**
 * Sets one value in the text of a file and leaves every other line unchanged: comments, order and spacing. Parses the
 * value as YAML. Rejects an invalid result with the error that loading it would give.
 */
export function setInText(text: string, dottedPath: string, value: string, options: SetOptions = {}): string {
  const fileName = options.fileName ?? "agent-orchestrator.yaml";
  const { document, tree } = readYaml(text, fileName);
  const path = resolvePath(dottedPath, tree);
  const wanted = readValue(value, path);
  const expected = withValue(tree, path, wanted);
  const write = (writer: () => string | null): string | null => {
    const candidate = attempt(writer);
    return candidate !== null && isDeepStrictEqual(treeOf(candidate), expected) ? candidate : null;
  };
  const setting = { path, value: wanted };
  const result = write(() => spliceValue(text, document, setting)) ?? write(() => rewrite(document, setting));
  if (result === null) {
    // An alias elsewhere shares this value, so it cannot be changed alone.
    const message = `cannot set ${formatPath(path)} in ${fileName} without changing other values`;
    throw new AoError({ code: "conflict", message, hint: "Edit the file by hand." });
  }
  try {
    parseConfig(result, fileName, { env: options.env ?? {}, settings: options.settings });
  } catch (error) {
    throw blameArgument(error, path);
  }
  return result;
}

/** Attributes errors that the new value causes to the argument: the file itself has not changed. */
function blameArgument(error: unknown, path: Path): unknown {
  if (!(error instanceof AoError)) return error;
  const problems = (error.data?.["problems"] ?? []) as readonly ConfigProblem[];
  const own = problems.filter((problem) => overlap(problem.path, path));
  if (own.length === 0) return error;
  return new AoError({
    code: "config-invalid",
    message: own.map(describeProblem).join("\n"),
    hint: "Nothing was written. `ao config-help` lists every key.",
    data: { problems: own },
    cause: error,
  });
}

/** The value that a person typed: YAML, or the plain string where only a string is allowed. */
function readValue(typed: string, path: Path): unknown {
  const value = attempt(() => parse(typed, { logLevel: "error" }) as unknown);
  if (!expectsText(path)) return value ?? (typed.trim() === "null" || typed.trim() === "~" ? null : typed);
  return typeof value === "string" && /^\s*["']/.test(typed) ? value : typed;
}

/** The last resort: the library rewrites the file, which keeps comments and order but not all spacing. */
function rewrite(document: Document, { path, value }: Setting): string {
  const copy = document.clone();
  copy.setIn(path, copy.createNode(value));
  return stringify(copy, { lineWidth: 0 });
}

function withValue(tree: unknown, path: Path, value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (Array.isArray(tree)) {
    const copy = [...tree];
    copy[Number(first)] = withValue(copy[Number(first)], rest, value);
    return copy;
  }
  const base = tree !== null && typeof tree === "object" ? (tree as Record<string, unknown>) : {};
  const old = Object.hasOwn(base, first) ? base[String(first)] : undefined;
  return { ...base, [first]: withValue(old, rest, value) };
}

function treeOf(text: string): unknown {
  return attempt(() => readYaml(text, "").tree);
}

/** A writer may give up on a form it does not know; that is an answer, not a failure. */
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
