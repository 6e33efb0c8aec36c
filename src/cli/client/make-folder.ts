import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "./http.ts";

/**
 * Creates a private folder and its parents. Node's own recursive form never returns if a file system answers ENOENT
 * although the parent exists, as /proc does (seen with Node 20).
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const isThere = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
    if (isThere) return;
    const parent = dirname(path);
    if (codeOf(error) !== "ENOENT" || statSync(parent, { throwIfNoEntry: false }) !== undefined) throw error;
    makeFolder(parent);
    // Another command may have created it meanwhile.
    makeFolder(path);
  }
}
