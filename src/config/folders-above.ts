import { delimiter, dirname } from "node:path";
import type { Env } from "./expand.ts";

/**
 * A folder and its ancestors, nearest first. Like git, `ao` does not search for a configuration above
 * GIT_CEILING_DIRECTORIES.
 */
export function foldersAbove(folder: string, env: Env): readonly string[] {
  const parent = dirname(folder);
  const ceilings = (env["GIT_CEILING_DIRECTORIES"] ?? "").split(delimiter);
  return parent === folder || ceilings.includes(parent) ? [folder] : [folder, ...foldersAbove(parent, env)];
}
