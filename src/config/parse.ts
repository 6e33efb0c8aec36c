import { type Alias, type Document, LineCounter, parseDocument, visit } from "yaml";
import { AoError } from "../core/errors.ts";
import { type Env, expand, type MissingVariable } from "./expand.ts";
import { locate } from "./locate.ts";
import { type CheckSettings, checkPluginSettings } from "./plugin-settings.ts";
import { type ConfigProblem, configInvalid, type Finding, formatProblem } from "./problem.ts";
import { overlap, prune } from "./prune.ts";
import { checkRules } from "./rules.ts";
import type { WrittenConfig } from "./schema.ts";
import { findUndecidedRules } from "./undecided-rules.ts";
import { blameVariable, validate } from "./validate.ts";

export interface ParsedConfig {
  /** As written, with variables expanded. */
  readonly written: WrittenConfig;
  /** Variables that were not set; an error only where their value is used. */
  readonly missing: readonly MissingVariable[];
  readonly undecided: readonly UndecidedRule[];
}

/** A rule that is off, with its place in the file; null: it is for all projects. */
export interface UndecidedRule {
  readonly projectId: string | null;
  readonly text: string;
}

const MAX_BYTES = 1024 * 1024;

export interface ParseOptions {
  readonly env: Env;
  /** The plugins' own validation of their settings; without it only their form is checked. */
  readonly settings?: CheckSettings | undefined;
}

/** Parses and validates a configuration file; throws one error that lists every problem. */
export function parseConfig(text: string, fileName: string, { env, settings }: ParseOptions): ParsedConfig {
  const { document, lines, tree } = readYaml(text, fileName);
  const { value, missing } = expand(tree, env);
  const validation = validate(value, tree);
  const check = (written: WrittenConfig): readonly Finding[] => [
    ...checkRules(written),
    ...(settings === undefined ? [] : checkPluginSettings({ written, raw: tree, missing }, settings)),
  ];
  const findings = validation.ok
    ? check(validation.written)
    : [...validation.findings, ...checkRest(value, validation.findings, check)];
  if (validation.ok && findings.length === 0) {
    const { written } = validation;
    const undecided = findUndecidedRules(written).map((finding) => ({
      projectId: finding.path[0] === "projects" ? String(finding.path[1]) : null,
      text: formatProblem(fileName, place(document, lines, finding)),
    }));
    return { written, missing, undecided };
  }
  throw configInvalid(
    fileName,
    findings.map((finding) => place(document, lines, blameVariable(finding, missing))),
  );
}

/** Applies the rules to the well-formed parts, so that one mistake does not hide the others. */
function checkRest(
  value: unknown,
  found: readonly Finding[],
  check: (written: WrittenConfig) => readonly Finding[],
): readonly Finding[] {
  const pruned = found.reduce((tree, finding) => prune(tree, finding.path), value);
  const validation = validate(pruned, pruned);
  if (!validation.ok) return [];
  // A finding about a place with a removed part is not about the file.
  return check(validation.written).filter((finding) => !found.some(({ path }) => overlap(path, finding.path)));
}

/** Parses YAML, with the position of anything malformed. */
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
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true, logLevel: "error" });
  if (document.errors.length > 0) {
    const problems = document.errors.map((error) => {
      const { line, col } = lines.linePos(error.pos[0]);
      return { path: [], at: "value" as const, message: error.message, hint: null, line, column: Math.max(1, col) };
    });
    throw configInvalid(fileName, problems);
  }
  return { document, lines, tree: toTree(document, lines, fileName) };
}

function toTree(document: Document, lines: LineCounter, fileName: string): unknown {
  try {
    const tree: unknown = document.toJS();
    // Throws on an alias that contains itself, which no later step could walk.
    JSON.stringify(tree);
    return tree ?? {};
  } catch {
    throw configInvalid(fileName, aliasProblems(document, lines));
  }
}

/** The aliases that refer to nothing; if all are defined, one contains itself or they expand too far. */
function aliasProblems(document: Document, lines: LineCounter): readonly ConfigProblem[] {
  const aliases: Alias[] = [];
  visit(document, {
    Alias(_, node) {
      aliases.push(node);
    },
  });
  const unresolved = aliases.filter((alias) => alias.resolve(document) === undefined);
  return (unresolved.length > 0 ? unresolved : aliases.slice(0, 1)).map((alias) => {
    const { line, col } = lines.linePos(alias.range?.[0] ?? 0);
    const message = `the alias *${alias.source} cannot be resolved`;
    return { path: [], at: "value", message, hint: "write the value out instead", line, column: Math.max(1, col) };
  });
}

function place(document: Document, lines: LineCounter, finding: Finding): ConfigProblem {
  return { ...finding, ...locate(document, lines, finding) };
}
