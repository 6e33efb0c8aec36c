import { AoError } from "../core/errors.ts";
import type { Path } from "./schema-walk.ts";

/** A problem in the file, before its position is known. */
export interface Finding {
  readonly path: Path;
  /** Which part is wrong: the key itself, or its value. */
  readonly at: "key" | "value";
  readonly message: string;
  readonly hint: string | null;
}

/** A problem in the file, with its position. */
export interface ConfigProblem extends Finding {
  readonly line: number;
  readonly column: number;
}

/** One line per problem, in compiler format: `file:line:column: path: what (hint)`. */
export function formatProblem(file: string, problem: ConfigProblem): string {
  return `${file}:${problem.line}:${problem.column}: ${describeProblem(problem)}`;
}

/** `path: what (hint)`. */
export function describeProblem(problem: Finding): string {
  const where = problem.path.length === 0 ? "" : `${formatPath(problem.path)}: `;
  const hint = problem.hint === null || problem.hint === "" ? "" : ` (${problem.hint})`;
  return `${where}${problem.message}${hint}`;
}

/** A path as people write it: `projects.my-app.symlinks[0]`; a key with a dot is quoted. */
export function formatPath(path: Path): string {
  let out = "";
  for (const part of path) {
    if (typeof part === "number") out += `[${part}]`;
    else out += `${out === "" ? "" : "."}${part.includes(".") ? JSON.stringify(part) : part}`;
  }
  return out;
}

/** The error for an invalid file: every problem on its own line, plus the data for other displays. */
export function configInvalid(file: string, problems: readonly ConfigProblem[]): AoError {
  const sorted = [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
  return new AoError({
    code: "config-invalid",
    message: sorted.map((problem) => formatProblem(file, problem)).join("\n"),
    hint: "Correct the file; `ao config-help` lists every key.",
    data: { file, problems: sorted },
  });
}
