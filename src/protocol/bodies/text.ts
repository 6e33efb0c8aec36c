import { z } from "zod";
import { writeOutHidden } from "../../core/hidden-characters.ts";

const MAX_COMMENT_BYTES = 64 * 1024;

// Names, titles and labels appear in lists, terminals and messages to agents: one line, without invisible characters.
function isPlainLine(text: string): boolean {
  return !/[\t\n]/.test(text) && writeOutHidden(text) === text;
}

/** A name or reference. */
export const name = z.string().min(1).max(500);
/** A title of an issue or session. */
export const title = line(1000);
/** Text for an agent. */
export const prompt = z.string().max(4 * 1024 * 1024);
export const path = z.string().max(4096);
export const environment = z.record(z.string(), z.string());
export const labels = z.array(name).max(100);

/** Text on a pull request. */
export const comment = z
  .string()
  .refine((value) => new TextEncoder().encode(value).length <= MAX_COMMENT_BYTES, "larger than 64 KiB")
  .refine((value) => value.trim() !== "", "empty");

/** One line of text without control characters. */
export function line(max: number) {
  return z.string().trim().min(1).max(max).refine(isPlainLine, "not one line of text without control characters");
}

export const commit = z
  .string()
  .regex(/^[0-9a-f]{7,64}$/, "not a commit: 7 or more of its hexadecimal digits")
  .describe("A commit: 7 or more of its hexadecimal digits.");
