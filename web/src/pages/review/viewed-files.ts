import type { DiffFile } from "../../parts/diff/parse-diff.ts";

/** What a file looked like when it was marked: once it changes, it is no longer viewed. */
export function fingerprintOf({ path, hunks }: Pick<DiffFile, "path" | "hunks">): string {
  let hash = 5381;
  for (const { changes } of hunks) {
    for (const { type, content } of changes) {
      if (type === "normal") continue;
      for (const character of `${type}${content}`) hash = ((hash * 33) ^ (character.codePointAt(0) ?? 0)) >>> 0;
    }
  }
  return `${hash.toString(36)} ${path}`;
}

/** The paths of marked files that still look the same. */
export function viewedPaths(files: readonly DiffFile[], marked: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(files.filter((file) => marked.has(fingerprintOf(file))).map(({ path }) => path));
}
