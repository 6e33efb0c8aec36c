import { createHash } from "node:crypto";
import { join } from "node:path";
import type { WorkspaceChanges, WorkspaceRef } from "../../ports/workspace.ts";
import { readStatus, type Status } from "./status.ts";
import type { Tools } from "./tools.ts";

/** Maximum number of listed names; a longer list would only be counted. */
const MAX_NAMES = 10;
/** Files whose size and time are part of the fingerprint. */
const MAX_STATED = 200;

/** The uncommitted changes of a checkout, or null. Ignored files do not count. */
export async function readChanges(tools: Tools, ref: WorkspaceRef): Promise<WorkspaceChanges | null> {
  const status = await readStatus(tools, ref.path);
  const paths = changedPaths(status);
  if (paths.length === 0) return null;
  const stats = await Promise.all(
    paths.slice(0, MAX_STATED).map(async (path) => {
      const stat = await tools.host.fs.stat(join(ref.path, path));
      return [path, stat?.size ?? null, stat?.mtimeMs ?? null];
    }),
  );
  const mark = JSON.stringify([paths, status.staged, stats]);
  const tree = createHash("sha256").update(mark).digest("hex").slice(0, 16);
  return { count: paths.length, names: paths.slice(0, MAX_NAMES), tree };
}

/** Every path that a commit of all changes would include. */
export function changedPaths({ staged, changed, untracked, unmerged }: Status): readonly string[] {
  return [...new Set([...staged, ...changed, ...untracked, ...unmerged])].sort();
}
