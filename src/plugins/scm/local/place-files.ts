import { dirname, join } from "node:path";
import type { FileStat } from "../../../ports/host.ts";
import type { Checkout } from "../../../providers/git/scm/checkout.ts";
import type { ScmTools } from "../../../providers/git/scm/tools.ts";
import { filesOf } from "./journal.ts";
import { removeEmptyFolders } from "./roll-back.ts";
import { isSame, setAside } from "./set-aside.ts";
import type { Touched } from "./touched.ts";

/** What files looked like at one moment, by path; null: missing. */
export type Looks = ReadonlyMap<string, FileStat | null>;

/** What these files look like now, below a folder. */
export async function lookAt(tools: ScmTools, root: string, paths: readonly string[]): Promise<Looks> {
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await tools.host.fs.stat(join(root, path))] as const)),
  );
}

/**
 * Puts the new files, which are ready in the staging folder, in place of the old ones, which stay there until
 * everything is over. Git would check all files first and write all afterwards, losing whatever is saved in between;
 * here each file is moved away as it is at that moment, compared with how it looked `before`, and only then replaced.
 * False: one has changed.
 */
export async function placeFiles(
  tools: ScmTools,
  checkout: Checkout,
  { touched, before }: { readonly touched: readonly Touched[]; readonly before: Looks },
): Promise<boolean> {
  const leaving = touched.filter((one) => one.change === "deleted");
  for (const { path } of leaving) if (!(await takeAway(tools, checkout, { path, before }))) return false;
  await removeEmptyFolders(tools, checkout.path, leaving);
  for (const { path } of touched.filter((one) => one.change === "changed")) {
    // What a person deleted, or a sparse checkout omits, stays away.
    if (before.get(path) === null) continue;
    if (!(await takeAway(tools, checkout, { path, before })) || !(await bringIn(tools, checkout, path))) return false;
  }
  for (const { path } of touched.filter((one) => one.change === "added")) {
    if (!(await bringIn(tools, checkout, path))) return false;
  }
  return true;
}

async function takeAway(
  tools: ScmTools,
  checkout: Checkout,
  { path, before }: { readonly path: string; readonly before: Looks },
): Promise<boolean> {
  const { fs } = tools.host;
  const known = before.get(path) ?? null;
  if (known === null) return true;
  return setAside(fs, join(checkout.path, path), { known, aside: join(filesOf(checkout).staging, "old", path) });
}

async function bringIn(tools: ScmTools, checkout: Checkout, path: string): Promise<boolean> {
  const { fs } = tools.host;
  const target = join(checkout.path, path);
  await fs.makeDir(dirname(target));
  return fs.moveNew(join(filesOf(checkout).staging, "new", path), target);
}

/**
 * Restores what a program wrote into an old file that it had open while the file was replaced: it stays as the person's
 * change, unless they have written to the new one as well.
 */
export async function keepLateWrites(
  tools: ScmTools,
  checkout: Checkout,
  { before, placed }: { readonly before: Looks; readonly placed: Looks },
): Promise<void> {
  const { fs, log } = tools.host;
  for (const [path, known] of before) {
    const kept = join(filesOf(checkout).staging, "old", path);
    const now = known === null ? null : await fs.stat(kept);
    if (now === null || isSame(known, now)) continue;
    const target = join(checkout.path, path);
    const shown = placed.get(path) ?? null;
    const aside = join(filesOf(checkout).staging, "replaced", path);
    if (shown !== null && !(await setAside(fs, target, { known: shown, aside }))) continue;
    await fs.makeDir(dirname(target));
    if (!(await fs.moveNew(kept, target))) continue;
    log.info("a file was saved while it was being replaced; the saved text stays", { path: target });
  }
}
