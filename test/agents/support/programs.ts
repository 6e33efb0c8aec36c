import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isFull } from "../../../src/testing/full.ts";

/** Where `npm run test:agents` puts the real programs. */
export const AGENTS_FOLDER = process.env["AO_TEST_AGENTS"] ?? join(homedir(), ".cache/ao-test-agents");

const isRequired = process.env["AO_TEST_AGENTS_REQUIRED"] === "1";
// Only the programs that have a version newer than the pinned one.
const isNewest = process.env["AO_TEST_AGENTS_NEWEST"] === "1";

/** The path of a real program; null if it is not installed, and its tests are skipped. */
export function findProgram(folder: string, bin: string): string | null {
  const pinned = programIn(folder, bin);
  // A runtime, not an agent.
  if (!isNewest || folder === "node24") return pinned;
  const newest = join(AGENTS_FOLDER, "newest", folder, "node_modules/.bin", bin);
  return existsSync(newest) ? newest : null;
}

function programIn(folder: string, bin: string): string | null {
  const path = join(AGENTS_FOLDER, folder, "node_modules/.bin", bin);
  if (existsSync(path)) return path;
  if (isRequired) throw new Error(`${path} is missing; run npm run test:agents`);
  return null;
}

/** `npm test` runs the most important tests, because real programs start slowly; `npm run test:agents` runs all. */
export const isWhole = isFull || isRequired;
