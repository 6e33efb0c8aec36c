import { join } from "node:path";
import type { CheckAttempt } from "../core/change/progress.ts";
import { shortHash } from "../core/hash.ts";
import { slugify } from "../core/name.ts";
import type { HomePaths } from "../protocol/home.ts";

/** The folder of one attempt of a check. */
export function checkFolderOf(paths: HomePaths, { changeKey, check, head, attempt }: CheckAttempt): string {
  const name = `${slugify(check)}-${shortHash(check).slice(0, 6)}-${head.slice(0, 12)}-${attempt}`;
  return join(paths.checks, changeKey, name);
}
