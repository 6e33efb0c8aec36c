import type { HunkData } from "react-diff-view";

/** Which lines a hunk shows, and where: "lines 31 to 58, in class ImageCache". */
export function describeHunk({ content, newStart, newLines, oldStart, oldLines }: HunkData): string {
  const isGone = newLines === 0;
  const start = isGone ? oldStart : newStart;
  const count = isGone ? oldLines : newLines;
  const lines = count === 1 ? `line ${start}` : `lines ${start} to ${start + count - 1}`;
  const around = content.replace(/^@@.*?@@ ?/, "").trim();
  return around === "" ? lines : `${lines}, in ${around.replace(/\s*\{$/, "")}`;
}
