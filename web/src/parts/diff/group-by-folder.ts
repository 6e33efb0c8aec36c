import type { Diff, DiffFile } from "./parse-diff.ts";

/** The files of each folder, in diff order; top-level files come last, as the folder "". */
export function groupByFolder(
  files: readonly DiffFile[],
): readonly { readonly folder: string; readonly files: readonly DiffFile[] }[] {
  const folders = new Map<string, DiffFile[]>();
  for (const file of files) {
    const folder = file.path.includes("/") ? file.path.slice(0, file.path.lastIndexOf("/")) : "";
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  const grouped = [...folders].map(([folder, inside]) => ({ folder, files: inside }));
  return [...grouped.filter(({ folder }) => folder !== ""), ...grouped.filter(({ folder }) => folder === "")];
}

/** A diff with its files in tree order, so that the first and next file match the tree. */
export function inTreeOrder(diff: Diff): Diff {
  return { ...diff, files: groupByFolder(diff.files).flatMap(({ files }) => files) };
}
