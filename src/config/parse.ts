import { type Document, LineCounter, parseDocument } from "yaml";
import { AoError } from "../core/errors.ts";
import { type Env, expand, type MissingVariable } from "./expand.ts";
import { locate } from "./locate.ts";
import { type ConfigProblem, configInvalid, type Finding } from "./problem.ts";
import { checkRules } from "./rules.ts";
import type { WrittenConfig } from "./schema.ts";
import { blameVariable, validate } from "./validate.ts";

export interface ParsedConfig {
  /** As written, with variables expanded. */
  readonly written: WrittenConfig;
  /** Variables that were not set; an error only where their value is used. */
  readonly missing: readonly MissingVariable[];
}

const MAX_BYTES = 1024 * 1024;

/** Reads the text of a configuration file and checks it whole; throws one error that lists every problem. */
export function parseConfig(text: string, fileName: string, env: Env): ParsedConfig {
  const { document, lines, tree } = readYaml(text, fileName);
  const { value, missing } = expand(tree, env);
  const validation = validate(value, tree, missing);
  const findings = validation.ok
    ? checkRules(validation.written).map((finding) => blameVariable(finding, missing))
    : validation.findings;
  if (validation.ok && findings.length === 0) return { written: validation.written, missing };
  throw configInvalid(
    fileName,
    findings.map((finding) => place(document, lines, finding)),
  );
}

/** Reads YAML, with the place of whatever is malformed. */
export function readYaml(
  text: string,
  fileName: string,
): { readonly document: Document; readonly lines: LineCounter; readonly tree: unknown } {
  if (text.length > MAX_BYTES) {
    throw new AoError({
      code: "config-invalid",
      message: `${fileName}: larger than 1 MiB`,
      hint: "Is it the right file?",
    });
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true });
  if (document.errors.length > 0) {
    const problems = document.errors.map((error) => {
      const { line, col } = lines.linePos(error.pos[0]);
      return { path: [], at: "value" as const, message: error.message, hint: null, line, column: Math.max(1, col) };
    });
    throw configInvalid(fileName, problems);
  }
  return { document, lines, tree: toTree(document, fileName) };
}

function toTree(document: Document, fileName: string): unknown {
  try {
    const tree: unknown = document.toJS();
    // Throws on an alias that contains itself, which no later step could walk.
    JSON.stringify(tree);
    return tree ?? {};
  } catch (cause) {
    throw new AoError({
      code: "config-invalid",
      message: `${fileName}: the aliases (&, *) cannot be resolved`,
      hint: "Write the values out instead.",
      cause,
    });
  }
}

function place(document: Document, lines: LineCounter, finding: Finding): ConfigProblem {
  return { ...finding, ...locate(document, lines, finding) };
}
