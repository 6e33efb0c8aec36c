import { dirname, join } from "node:path";
import type { FileStat } from "../../../ports/host.ts";
import { splitNul } from "../../../providers/git/git.ts";
import type { Checkout } from "../../../providers/git/scm/checkout.ts";
import type { ScmTools } from "../../../providers/git/scm/tools.ts";
import { filesOf } from "./journal.ts";
import type { Move } from "./move-refs.ts";
import { setAside } from "./set-aside.ts";
import { listTouched, type Touched } from "./touched.ts";

/**
 * Undoes what was done to the files: removes new ones, restores old ones from the staging folder. A file without the
 * new content is a person's, and stays.
 */
export async function rollBack(tools: ScmTools, checkout: Checkout, move: Move): Promise<void> {
  const { fs } = tools.host;
  const touched = await listTouched(tools, checkout.path, { from: move.from, to: move.to });
  // Before git compares, so that what is saved from here on is noticed.
  const looks = new Map<string, FileStat | null>();
  for (const { path } of touched) looks.set(path, await fs.stat(join(checkout.path, path)));
  const placed = await findPlaced(tools, checkout, touched);
  const { staging } = filesOf(checkout);
  const drop = (path: string): Promise<boolean> =>
    setAside(fs, join(checkout.path, path), {
      known: looks.get(path) ?? null,
      aside: join(staging, "dropped", path),
    });
  const added = touched.filter((one) => one.change === "added" && placed.has(one.path));
  for (const { path } of added) await drop(path);
  await removeEmptyFolders(tools, checkout.path, added);
  for (const { path } of touched.filter((one) => one.change === "changed" || one.change === "deleted")) {
    const [kept, target] = [join(staging, "old", path), join(checkout.path, path)];
    if ((await fs.stat(kept)) === null) continue;
    if (placed.has(path) ? !(await drop(path)) : !(await isWayFree(tools, checkout.path, path))) continue;
    await fs.makeDir(dirname(target));
    await fs.moveNew(kept, target);
  }
}

/**
 * Puts back what a daemon had moved aside when it died, before it could compare it: it may be what a person saved last. What
 * belongs to the merge is found and taken away again.
 */
export async function putBack(tools: ScmTools, checkout: Checkout, move: Move): Promise<void> {
  const { fs } = tools.host;
  const { staging } = filesOf(checkout);
  if ((await fs.stat(staging)) === null) return;
  for (const { path } of await listTouched(tools, checkout.path, { from: move.from, to: move.to })) {
    for (const aside of ["dropped", "replaced"].map((name) => join(staging, name, path))) {
      if ((await fs.stat(aside)) === null || !(await isWayFree(tools, checkout.path, path))) continue;
      const target = join(checkout.path, path);
      await fs.makeDir(dirname(target));
      await fs.moveNew(aside, target);
    }
  }
}

// An index of only the new files shows which of them are there, considering filters and line endings.
async function findPlaced(
  tools: ScmTools,
  checkout: Checkout,
  touched: readonly Touched[],
): Promise<ReadonlySet<string>> {
  const { newIndex } = filesOf(checkout);
  await tools.host.fs.remove(newIndex);
  await tools.host.fs.remove(`${newIndex}.lock`);
  const git = (args: readonly string[], stdin?: string): ReturnType<ScmTools["git"]> =>
    tools.git({ cwd: checkout.path, args, stdin, env: { GIT_INDEX_FILE: newIndex }, okCodes: [0, 1] });
  const wanted = touched.filter((one) => one.entry !== null);
  await git(["update-index", "-z", "--index-info"], wanted.map(({ entry }) => `${entry}\0`).join(""));
  await git(["update-index", "-q", "--refresh"]);
  const differs = new Set(splitNul((await git(["diff-files", "-z", "--name-only"])).stdout));
  await tools.host.fs.remove(newIndex);
  return new Set(wanted.map((one) => one.path).filter((path) => !differs.has(path)));
}

/** Removes folders that became empty when these files left, as git does. */
export async function removeEmptyFolders(tools: ScmTools, root: string, left: readonly Touched[]): Promise<void> {
  const folders = new Set<string>();
  for (const { path } of left) for (let up = dirname(path); up !== "."; up = dirname(up)) folders.add(up);
  // The deepest first.
  for (const folder of [...folders].sort((one, other) => other.length - one.length)) {
    if ((await tools.host.fs.list(join(root, folder))).length > 0) continue;
    // rmdir refuses what is not empty after all.
    await tools.host.exec({ program: "rmdir", args: ["--", join(root, folder)], okCodes: [0, 1] });
  }
}

async function isWayFree(tools: ScmTools, root: string, path: string): Promise<boolean> {
  const parts = path.split("/");
  for (let length = 1; length <= parts.length; length += 1) {
    const kind = (await tools.host.fs.stat(join(root, ...parts.slice(0, length))))?.kind;
    if (kind === undefined) return true;
    if (kind !== "directory" || length === parts.length) return false;
  }
  return true;
}
