import { readFileSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { structuredPatch } from "diff";
import type { QuestionDetail } from "../../core/question.ts";

/** Larger files are not compared, because a person waits for the question. */
const MAX_COMPARED = 1024 * 1024;
const DIFF_LIMIT_MS = 1000;

/** A file that a program wants to change. */
export interface FileChange {
  /** As shown to people. */
  readonly path: string;
  /** null: there is no such file. */
  readonly before: string | null;
  /** null: it is deleted. */
  readonly after: string | null;
}

/** File changes for people: what happens to which file, and the diff; for a new file, the content. */
export function describeChanges(changes: readonly FileChange[]): {
  readonly what: string;
  readonly detail: QuestionDetail<string>;
} {
  const [first] = changes;
  if (changes.length === 1 && first !== undefined && first.before === null) {
    return { what: `create ${first.path}`, detail: { format: "text", text: first.after ?? "" } };
  }
  const text = changes.map(diffOf).join("\n");
  const verb = changes.every(({ after }) => after === null) ? "delete" : "edit";
  const paths = changes.map(({ path }) => path).join(", ");
  return { what: `${verb} ${paths}${countOf(text)}`, detail: { format: "diff", text } };
}

/** A unified diff without a trailing newline. */
export function diffOf({ path, before, after }: FileChange): string {
  const head = [`--- ${before === null ? "/dev/null" : path}`, `+++ ${after === null ? "/dev/null" : path}`];
  const patch = structuredPatch(path, path, before ?? "", after ?? "", "", "", { context: 3, timeout: DIFF_LIMIT_MS });
  const hunks =
    patch === undefined
      ? [...signed("-", before ?? ""), ...signed("+", after ?? "")]
      : patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
          `@@ -${startOf(oldStart, oldLines)},${oldLines} +${startOf(newStart, newLines)},${newLines} @@`,
          ...lines,
        ]);
  return [...head, ...hunks].join("\n");
}

// For an empty range, a unified diff names the line before it.
function startOf(start: number, lines: number): number {
  return lines === 0 ? start - 1 : start;
}

/** How many lines a diff adds and removes: ` (+3 -1)`. */
export function countOf(diff: string): string {
  const count = (sign: RegExp): number => diff.match(sign)?.length ?? 0;
  return ` (+${count(/^\+(?!\+\+ )/gm)} -${count(/^-(?!-- )/gm)})`;
}

/** The text of a file; null: no such file; "unknown": too large, or not text. */
export function readPresent(cwd: string, path: string): string | null | { readonly unknown: string } {
  try {
    const file = resolve(cwd, path);
    if (statSync(file).size > MAX_COMPARED) return { unknown: "is too large to compare" };
    const text = readFileSync(file, "utf8");
    return text.includes("\0") ? { unknown: "is not a text file" } : text;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? null : { unknown: "cannot be read" };
  }
}

/** A path for people: relative to the workspace, or absolute. */
export function showPath(cwd: string, path: string): string {
  const below = relative(cwd, resolve(cwd, path));
  return below === "" || below.startsWith("..") || isAbsolute(below) ? path : below;
}

function signed(sign: string, text: string): readonly string[] {
  return text === ""
    ? []
    : text
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => `${sign}${line}`);
}
