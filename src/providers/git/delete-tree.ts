import type { Tools } from "./tools.ts";

/** Deletes a tree, including read-only folders. */
export async function deleteTree(tools: Tools, path: string): Promise<void> {
  const { fs, exec } = tools.host;
  if ((await fs.stat(path)) === null) return;
  try {
    await fs.remove(path);
  } catch {
    // Package caches often make their folders read-only.
    await exec({ program: "chmod", args: ["-R", "u+rwX", path], okCodes: [0, 1] });
    await fs.remove(path);
  }
}
