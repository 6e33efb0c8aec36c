import { join } from "node:path";
import { splitNul } from "../../../providers/git/git.ts";
import type { Checkout } from "../../../providers/git/scm/checkout.ts";
import { boundNames } from "../../../providers/git/scm/names.ts";
import type { ScmTools } from "../../../providers/git/scm/tools.ts";
import type { Touched } from "./touched.ts";

const MAX_LOOKED_AT = 1000;

/**
 * The touched paths with a person's own changes: changed, staged, deleted, hidden from git, or a file that git does not
 * know (including ignored ones, which git itself would overwrite).
 */
export async function findOverlap(
  tools: ScmTools,
  checkout: Checkout,
  { head, touched }: { readonly head: string; readonly touched: readonly Touched[] },
): Promise<readonly string[]> {
  if (touched.length === 0) return [];
  const ask = async (...args: string[]): Promise<readonly string[]> =>
    splitNul((await tools.git({ cwd: checkout.path, args })).stdout);
  const [staged, changed, entries, inTheWay] = await Promise.all([
    ask("diff-index", "--cached", "-z", "--name-status", "--no-renames", head, "--"),
    ask("diff", "-z", "--name-status", "--no-renames", "--no-ext-diff", "--ignore-submodules=all"),
    ask("ls-files", "-v", "-z"),
    findInTheWay(tools, checkout.path, touched),
  ]);
  const wanted = new Map(touched.map((one) => [one.path, one.change]));
  // An unresolved conflict stops git wherever it is. No disagreement if both want the file gone.
  const disagrees = ([status, path]: readonly [string, string]): boolean =>
    status === "U" || (wanted.has(path) && !(status === "D" && wanted.get(path) === "deleted"));
  const own = [...pairs(staged).filter(disagrees), ...pairs(changed).filter(disagrees)].map(([, path]) => path);
  const hidden = entries.filter((entry) => /^[a-zS]/.test(entry)).map((entry) => entry.slice(2));
  const edited = await keepExisting(
    tools,
    checkout.path,
    hidden.filter((path) => wanted.has(path)),
  );
  return boundNames([...own, ...edited, ...inTheWay]);
}

function pairs(fields: readonly string[]): readonly (readonly [string, string])[] {
  return fields.flatMap((field, index) => (index % 2 === 0 ? [[field, fields[index + 1] ?? ""] as const] : []));
}

// Without skip-worktree's file there is nothing to lose: a sparse checkout looks like that.
async function keepExisting(tools: ScmTools, root: string, paths: readonly string[]): Promise<readonly string[]> {
  const stats = await Promise.all(paths.map((path) => tools.host.fs.stat(join(root, path))));
  return paths.filter((_, index) => stats[index] !== null);
}

async function findInTheWay(tools: ScmTools, root: string, touched: readonly Touched[]): Promise<readonly string[]> {
  const leaving = new Set(touched.filter((one) => one.change === "deleted").map((one) => one.path));
  const found: string[] = [];
  const seen = new Set<string>();
  for (const { path } of touched.filter((one) => one.change === "added")) {
    for (const place of placesOf(path)) {
      if (seen.has(place)) continue;
      seen.add(place);
      const kind = (await tools.host.fs.stat(join(root, place)))?.kind;
      if (kind === undefined) break;
      if (kind === "directory" && place !== path) continue;
      if (kind === "directory") found.push(...(await listOthers(tools, root, { folder: place, leaving })));
      else if (!leaving.has(place)) found.push(place);
    }
  }
  return found;
}

// The path itself and its parent folders, from the top.
function placesOf(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

// A file may replace a folder only if everything in it is removed as well.
async function listOthers(
  tools: ScmTools,
  root: string,
  { folder, leaving }: { readonly folder: string; readonly leaving: ReadonlySet<string> },
): Promise<readonly string[]> {
  const found: string[] = [];
  const open = [folder];
  for (let looked = 0; open.length > 0 && looked < MAX_LOOKED_AT; looked += 1) {
    const path = open.pop() ?? "";
    const kind = (await tools.host.fs.stat(join(root, path)))?.kind;
    if (kind === "directory")
      open.push(...(await tools.host.fs.list(join(root, path))).map((name) => `${path}/${name}`));
    else if (kind !== undefined && !leaving.has(path)) found.push(path);
  }
  return open.length > 0 ? [...found, folder] : found;
}
