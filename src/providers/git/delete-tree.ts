import type { Tools } from "./tools.ts";

/** Deletes a tree, read-only folders and all. */
export async function deleteTree(tools: Tools, path: string): Promise<void> {
  const { fs, exec } = tools.host;
  if ((await fs.stat(path)) === null) return;
  try {
    await fs.remove(path);
  } catch {
    // Package caches like to make their folders read-only.
    await exec({ program: "chmod", args: ["-R", "u+rwX", path], okCodes: [0, 1] });
    await fs.remove(path);
  }
}
