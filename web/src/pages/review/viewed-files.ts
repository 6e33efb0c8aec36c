import type { DiffFile } from "../../parts/diff/parse-diff.ts";

/** What a file looked like when it was marked: changed again, it is not viewed any more. */
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

/** The paths of those files that were marked and look the same since. */
export function viewedPaths(files: readonly DiffFile[], marked: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(files.filter((file) => marked.has(fingerprintOf(file))).map(({ path }) => path));
}
