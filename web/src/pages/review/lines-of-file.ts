import type { ChangeData } from "react-diff-view";
import { type DiffFile, newLineOf } from "../../parts/diff/parse-diff.ts";

type Lines = Pick<DiffFile, "hunks">;

/** The change with a line of the new version of the file; null: the diff does not show it. */
export function findLine({ hunks }: Lines, line: number | null): ChangeData | null {
  if (line === null) return null;
  for (const { changes } of hunks) {
    const found = changes.find((change) => newLineOf(change) === line);
    if (found !== undefined) return found;
  }
  return null;
}

/** The next or previous line that can have a comment; without a selection, the first added one. */
export function stepLine({ hunks }: Lines, from: ChangeData | null, by: 1 | -1): number | null {
  const lines = hunks.flatMap(({ changes }) => changes).filter((change) => newLineOf(change) !== null);
  const here = from === null ? -1 : lines.indexOf(from);
  const next = here === -1 ? (lines.find(({ type }) => type === "insert") ?? lines[0]) : lines[here + by];
  return next === undefined ? null : newLineOf(next);
}
