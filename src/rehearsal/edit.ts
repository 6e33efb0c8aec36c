import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The text of a file; null when there is none. */
export function readFileText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Replaces a file whole, and keeps its mode. */
export function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  // The name is the same each time: what a killed process leaves is taken by the repetition, before any commit.
  const temp = join(dirname(path), `.${basename(path)}.rehearsal`);
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0o644;
  writeFileSync(temp, text, { mode });
  renameSync(temp, path);
}

/** A short name for a text, to know it again. */
export function fingerprint(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
