import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Files that come and go, and what a person has: parts of an open database, npm's downloads, the identity for git. */
const PASSING = /-(shm|wal)$|^\.npm\/|^\.gitconfig$/;

/** Names below a folder, without what differs from run to run: ids, times, paths. */
export function filesBelow(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => !PASSING.test(name) && statSync(join(folder, name)).isFile());
  return [...new Set(files.map(withoutChance))].sort();
}

function withoutChance(name: string): string {
  return name
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID")
    .replace(/(projects|claude-cli-nodejs)\/[^/]+/, "$1/P")
    .replace(/objects\/[0-9a-f]{2}\//, "objects/XX/")
    .replace(/[0-9a-f]{24,}/g, "HASH")
    .replace(/\d{4}-\d\d-\d\dT[\d-]+Z?/, "TIME")
    .replace(/-[0-9a-z]{6}(?=\.\w+$)/, "-X")
    .replace(/\d{6,}/g, "N");
}
