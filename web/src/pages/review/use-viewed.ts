import { useMemo, useState } from "react";
import { keepDraft, readDraft } from "../../lib/drafts.ts";
import type { DiffFile } from "../../parts/diff/parse-diff.ts";
import { fingerprintOf, viewedPaths } from "./viewed-files.ts";

/** The files marked as viewed, in this browser. */
export function useViewed(key: string, files: readonly DiffFile[]) {
  const [marked, setMarked] = useState<ReadonlySet<string>>(
    () => new Set(readDraft(`viewed.${key}`).split("\n").filter(Boolean)),
  );
  const viewed = useMemo(() => viewedPaths(files, marked), [files, marked]);
  const toggle = (file: DiffFile): void => {
    const changed = new Set(marked);
    const mark = fingerprintOf(file);
    if (!changed.delete(mark)) changed.add(mark);
    keepDraft(`viewed.${key}`, [...changed].join("\n"));
    setMarked(changed);
  };
  return { viewed, toggle };
}
