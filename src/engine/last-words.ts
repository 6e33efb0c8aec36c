import { stripVTControlCharacters } from "node:util";
import type { HostFs } from "../ports/host.ts";

const TAIL_BYTES = 8192;
const MAX_LENGTH = 300;

/** The last line that a program wrote to a file, which mostly tells why it ended; null: it wrote nothing. */
export async function readLastWords(fs: HostFs, path: string): Promise<string | null> {
  const size = (await fs.stat(path))?.size ?? 0;
  const bytes = await fs.readBytes(path, Math.max(0, size - TAIL_BYTES), TAIL_BYTES);
  const lines = stripVTControlCharacters(new TextDecoder().decode(bytes ?? undefined)).split("\n");
  const words = (lines.findLast(saysMuch) ?? lines.findLast((line) => line.trim() !== ""))?.trim();
  if (words === undefined) return null;
  return words.length > MAX_LENGTH ? `${words.slice(0, MAX_LENGTH - 1)}…` : words;
}

// Not the places, details and version that follow the words of a crash.
function saysMuch(line: string): boolean {
  return /\p{Letter}/u.test(line) && !/^\s+(at |\w+: )|^Node\.js v/.test(line);
}
