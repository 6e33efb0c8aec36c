import { join } from "node:path";
import type { HostFs } from "../../../ports/host.ts";
import { isAmong } from "./names.ts";

const MAX_BYTES = 512 * 1024 * 1024;
const MAX_FILES = 50_000;

/**
 * Copies the conversations that changed since a session began, so that one from a version of `ao` which kept them in the
 * user's folder finds its own.
 */
export async function adoptConversations(
  fs: HostFs,
  { from, to }: { readonly from: string; readonly to: string },
  { patterns, since }: { readonly patterns: readonly string[]; readonly since: number },
): Promise<void> {
  let files = 0;
  let bytes = 0;
  const waiting = (await fs.list(from)).filter((name) => isAmong(name, patterns));
  for (let path = waiting.pop(); path !== undefined && files < MAX_FILES; path = waiting.pop()) {
    const found = await fs.stat(join(from, path));
    files += 1;
    if (found?.kind === "directory") {
      await fs.makeDir(join(to, path), { mode: 0o700 });
      for (const name of await fs.list(join(from, path))) waiting.push(join(path, name));
    }
    if (found?.kind !== "file" || found.mtimeMs < since || bytes + found.size > MAX_BYTES) continue;
    bytes += found.size;
    // A program of the user may remove it meanwhile.
    await fs.copy(join(from, path), join(to, path)).catch(() => undefined);
  }
}
