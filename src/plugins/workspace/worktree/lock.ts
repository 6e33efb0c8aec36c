import { join } from "node:path";
import type { HostFs } from "../../../ports/host.ts";

/** Why we lock a worktree: its folder is moved aside while it is removed, and `git worktree prune` would take its entry and index. */
const OWN_REASON = "ao is removing this worktree\n";

/** Why a person locked a worktree; null: nobody did. */
export async function readLock(fs: HostFs, adminDir: string): Promise<string | null> {
  const text = await fs.readText(join(adminDir, "locked"));
  return text === null || text === OWN_REASON ? null : text.trim();
}

export async function lockForRemoval(fs: HostFs, adminDir: string): Promise<void> {
  await fs.writeText(join(adminDir, "locked"), OWN_REASON);
}

/** Takes our lock away, and nobody else's. */
export async function unlockAfterRemoval(fs: HostFs, adminDir: string): Promise<void> {
  const path = join(adminDir, "locked");
  if ((await fs.readText(path)) === OWN_REASON) await fs.remove(path);
}
