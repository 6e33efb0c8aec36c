import type { ChangeData, HunkData } from "react-diff-view";
import { writeOutHidden } from "../../../../src/core/hidden-characters.ts";
import { unquotePath } from "./unquote-path.ts";

/** One file of a diff. */
export interface DiffFile {
  /** The path in the repository, for calls; shown as untrusted text. */
  readonly path: string;
  /** The old path of a renamed or copied file; else its path. */
  readonly oldPath: string;
  readonly change: "added" | "deleted" | "modified" | "renamed" | "copied";
  readonly isBinary: boolean;
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly HunkData[];
}

export interface Diff {
  readonly files: readonly DiffFile[];
  /** The daemon's note in place of a rest that is too long; null: complete. */
  readonly cut: string | null;
}

type Draft = { -readonly [Key in keyof DiffFile]: DiffFile[Key] } & { hunks: HunkData[] };

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Parses git's unified diff. Lines of a hunk are counted, so that no content can pass for a header. */
export function parseDiff(text: string): Diff {
  const lines = text.split("\n");
  const files: Draft[] = [];
  let cut: string | null = null;
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const file = files.at(-1);
    if (line.startsWith("diff --git ")) files.push(startFile(line));
    else if (line.startsWith("# ") && at >= lines.length - 2) cut = line.slice(2);
    else if (file !== undefined && HUNK.test(line)) {
      at = readHunk(lines, at, file);
      continue;
    } else if (file !== undefined) readHeader(line, file);
    at += 1;
  }
  return { files, cut };
}

function startFile(line: string): Draft {
  const path = pathOfFirstLine(line.slice("diff --git ".length));
  return { path, oldPath: path, change: "modified", isBinary: false, added: 0, removed: 0, hunks: [] };
}

// Both names are the same unless a later header says otherwise: half of the line each, minus the space between.
function pathOfFirstLine(names: string): string {
  return unquotePath(names.slice((names.length + 1) / 2)).replace(/^b\//, "");
}

const HEADERS: readonly (readonly [string, (file: Draft, value: string) => void])[] = [
  ["new file mode ", (file) => set(file, { change: "added" })],
  ["deleted file mode ", (file) => set(file, { change: "deleted" })],
  ["rename from ", (file, value) => set(file, { change: "renamed", oldPath: unquotePath(value) })],
  ["rename to ", (file, value) => set(file, { path: unquotePath(value) })],
  ["copy from ", (file, value) => set(file, { change: "copied", oldPath: unquotePath(value) })],
  ["copy to ", (file, value) => set(file, { path: unquotePath(value) })],
  ["Binary files ", (file) => set(file, { isBinary: true })],
  ["--- ", (file, value) => set(file, nameIn(value, "oldPath"))],
  ["+++ ", (file, value) => set(file, nameIn(value, "path"))],
];

function readHeader(line: string, file: Draft): void {
  const found = HEADERS.find(([start]) => line.startsWith(start));
  found?.[1](file, line.slice(found[0].length));
}

function set(file: Draft, values: Partial<Draft>): void {
  Object.assign(file, values);
}

function nameIn(value: string, key: "path" | "oldPath"): Partial<Draft> {
  // Git ends a name that has spaces with a tab.
  const name = unquotePath(value.replace(/\t$/, ""));
  return name === "/dev/null" ? {} : { [key]: name.replace(/^[ab]\//, "") };
}

/** Adds the hunk that starts at a line, and returns where the next part starts. */
function readHunk(lines: readonly string[], at: number, file: Draft): number {
  const header = lines[at] ?? "";
  const [, oldStart, oldCount, newStart, newCount] = HUNK.exec(header) ?? [];
  const hunk: HunkData = {
    content: writeOutHidden(header),
    oldStart: Number(oldStart),
    oldLines: Number(oldCount ?? 1),
    newStart: Number(newStart),
    newLines: Number(newCount ?? 1),
    changes: [],
  };
  const place = { old: hunk.oldStart, now: hunk.newStart };
  const isWhole = (): boolean =>
    place.old >= hunk.oldStart + hunk.oldLines && place.now >= hunk.newStart + hunk.newLines;
  let next = at + 1;
  // The last part of a text that ends with a newline is empty.
  for (; next < lines.length - 1; next += 1) {
    const line = lines[next] ?? "";
    if (line.startsWith("\\")) continue;
    if (isWhole()) break;
    hunk.changes.push(readLine(line, place));
  }
  file.hunks.push(hunk);
  file.added += hunk.changes.filter(({ type }) => type === "insert").length;
  file.removed += hunk.changes.filter(({ type }) => type === "delete").length;
  return next;
}

function readLine(line: string, place: { old: number; now: number }): ChangeData {
  const content = writeOutHidden(line.slice(1));
  if (line.startsWith("+")) return { type: "insert", isInsert: true, lineNumber: place.now++, content };
  if (line.startsWith("-")) return { type: "delete", isDelete: true, lineNumber: place.old++, content };
  return { type: "normal", isNormal: true, oldLineNumber: place.old++, newLineNumber: place.now++, content };
}

/** The first hunks of a file up to this many lines, the last one cut if necessary. */
export function firstLines(hunks: readonly HunkData[], limit: number): readonly HunkData[] {
  const shown: HunkData[] = [];
  let left = limit;
  for (const hunk of hunks) {
    if (left <= 0) break;
    shown.push(hunk.changes.length <= left ? hunk : { ...hunk, changes: hunk.changes.slice(0, left) });
    left -= hunk.changes.length;
  }
  return shown;
}

export function countLines(hunks: readonly HunkData[]): number {
  return hunks.reduce((sum, { changes }) => sum + changes.length, 0);
}

/** The line in the new version of the file that a comment on this change is about; null: it no longer exists. */
export function newLineOf(change: ChangeData): number | null {
  if (change.type === "delete") return null;
  return change.type === "insert" ? change.lineNumber : change.newLineNumber;
}
