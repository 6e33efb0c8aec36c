import type { Diff, DiffFile } from "./parse-diff.ts";

/** The files of each folder, in the order of the diff; files at the top come last, as the folder "". */
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

/** A diff whose files are in the order of the tree, so that the first and the next file are those of the tree. */
export function inTreeOrder(diff: Diff): Diff {
  return { ...diff, files: groupByFolder(diff.files).flatMap(({ files }) => files) };
}
