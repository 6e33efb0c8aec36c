import { delimiter, dirname } from "node:path";
import type { Env } from "./expand.ts";

/**
 * A folder and those above it, nearest first. Where git looks for a repository no further up (GIT_CEILING_DIRECTORIES), `ao` looks
 * for a configuration no further up either.
 */
export function foldersAbove(folder: string, env: Env): readonly string[] {
  const parent = dirname(folder);
  const ceilings = (env["GIT_CEILING_DIRECTORIES"] ?? "").split(delimiter);
  return parent === folder || ceilings.includes(parent) ? [folder] : [folder, ...foldersAbove(parent, env)];
}
