import { join } from "node:path";
import type { Tools } from "./tools.ts";

/**
 * The first of these files that a checkout of the saved state would not reproduce byte for byte, or null. Line-ending
 * settings, filters and file systems without modes change files on the way in or out; so git checks them out to a
 * temporary folder, and they are compared.
 */
export async function findInexact(
  tools: Tools,
  folder: string,
  {
    index,
    paths,
  }: { readonly index: { readonly env: { readonly GIT_INDEX_FILE: string } }; readonly paths: readonly string[] },
): Promise<string | null> {
  const { fs } = tools.host;
  const scratch = `${index.env.GIT_INDEX_FILE}-files`;
  const present: string[] = [];
  for (const path of paths) if ((await fs.stat(join(folder, path))) !== null) present.push(path);
  if (present.length === 0) return null;
  await fs.remove(scratch);
  try {
    const stdin = present.map((path) => `${path}\0`).join("");
    const args = ["checkout-index", "--force", "--quiet", `--prefix=${scratch}/`, "-z", "--stdin"];
    await tools.git({ cwd: folder, env: index.env, args, stdin, okCodes: [0, 1, 128] });
    const files: string[] = [];
    for (const path of present) {
      const kind = await compareKind(tools, join(folder, path), join(scratch, path));
      if (kind === "differs") return path;
      if (kind === "file") files.push(path);
    }
    return await compareBytes(tools, folder, { scratch, paths: files });
  } finally {
    await fs.remove(scratch);
  }
}

async function compareKind(tools: Tools, original: string, copy: string): Promise<"same" | "file" | "differs"> {
  const { fs } = tools.host;
  const [a, b] = [await fs.stat(original), await fs.stat(copy)];
  if (a === null) return "same";
  // A submodule has no file of its own, and its work has already been examined.
  if (a.kind === "directory") return "same";
  if (b === null || a.kind !== b.kind || a.size !== b.size) return "differs";
  if (a.kind === "symlink") return (await fs.readLink(original)) === (await fs.readLink(copy)) ? "same" : "differs";
  return (a.mode & 0o100) === (b.mode & 0o100) ? "file" : "differs";
}

async function compareBytes(
  tools: Tools,
  folder: string,
  { scratch, paths }: { readonly scratch: string; readonly paths: readonly string[] },
): Promise<string | null> {
  if (paths.length === 0) return null;
  const both = [...paths.map((path) => join(folder, path)), ...paths.map((path) => join(scratch, path))];
  const stdin = `${both.map(quotePath).join("\n")}\n`;
  const { stdout } = await tools.git({ cwd: folder, args: ["hash-object", "--no-filters", "--stdin-paths"], stdin });
  const hashes = stdout.trim().split("\n");
  return paths.find((_, at) => hashes[at] !== hashes[at + paths.length]) ?? null;
}

// The input is one path per line; git reads a quoted path like a C string.
function quotePath(path: string): string {
  const escapes: Readonly<Record<string, string>> = { "\n": "\\n", '"': '\\"', "\\": "\\\\" };
  return `"${path.replace(/["\\\n]/g, (char) => escapes[char] ?? char)}"`;
}
