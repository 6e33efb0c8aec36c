import { join } from "node:path";
import type { HostFs } from "../../../ports/host.ts";

/**
 * Our reason for locking a worktree: its folder is moved aside during its removal, and `git worktree prune` would
 * delete its entry and index.
 */
const OWN_REASON = "ao is removing this worktree\n";

/** Why a person locked a worktree; null: not locked. */
export async function readLock(fs: HostFs, adminDir: string): Promise<string | null> {
  const text = await fs.readText(join(adminDir, "locked"));
  return text === null || text === OWN_REASON ? null : text.trim();
}

export async function lockForRemoval(fs: HostFs, adminDir: string): Promise<void> {
  await fs.writeText(join(adminDir, "locked"), OWN_REASON);
}

/** Removes our own lock only. */
export async function unlockAfterRemoval(fs: HostFs, adminDir: string): Promise<void> {
  const path = join(adminDir, "locked");
  if ((await fs.readText(path)) === OWN_REASON) await fs.remove(path);
}
