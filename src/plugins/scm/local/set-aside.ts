import { dirname } from "node:path";
import type { FileStat, HostFs } from "../../../ports/host.ts";

/** Do these two look like the same file with the same content? */
export function isSame(one: FileStat | null, other: FileStat | null): boolean {
  return one?.size === other?.size && one?.mtimeMs === other?.mtimeMs && one?.mode === other?.mode;
}

/**
 * Moves a file out of the way if it still looks as it is known to; otherwise it is put back, and the answer is false. It
 * is moved first and compared then, because whatever is saved after a comparison would be lost.
 */
export async function setAside(
  fs: HostFs,
  path: string,
  { known, aside }: { readonly known: FileStat | null; readonly aside: string },
): Promise<boolean> {
  await fs.makeDir(dirname(aside));
  if ((await fs.stat(path)) === null) return false;
  await fs.rename(path, aside);
  if (isSame(known, await fs.stat(aside))) return true;
  // If something is there already, it was saved later.
  await fs.moveNew(aside, path);
  return false;
}
