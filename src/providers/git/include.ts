import { dirname, join } from "node:path";
import type { WorkspaceProject } from "../../ports/workspace.ts";
import { splitNul } from "./git.ts";
import { checkoutRoot, pathBelow } from "./layout.ts";
import { isPlainFolder, type Placed } from "./symlink.ts";
import type { Tools } from "./tools.ts";

const AT_ONCE = 16;
/** They are arguments of a program. */
const MAX_RULES_BYTES = 64 * 1024;

/** Copies ignored files that `.worktreeinclude` lists from the main checkout into the checkout. */
export async function copyIncluded(tools: Tools, project: WorkspaceProject, folder: string): Promise<Placed> {
  const text = await tools.host.fs.readText(join(project.path, ".worktreeinclude"));
  const rules = text === null ? [] : rulesIn(text);
  if (rules.length === 0) return { paths: [], notes: [] };
  if (Buffer.byteLength(rules.join()) > MAX_RULES_BYTES) {
    return { paths: [], notes: [".worktreeinclude was not used: it is larger than 64 KiB."] };
  }
  // Git matches them, in a process of its own: rules that a commit brought must not keep the daemon busy.
  const [ignored, listed] = await Promise.all(
    [["--exclude-standard"], rules.map((rule) => `--exclude=${rule}`)].map(async (excludes) => {
      const args = ["ls-files", "--others", "--ignored", "-z", ...excludes];
      return splitNul((await tools.git({ cwd: project.path, args })).stdout);
    }),
  );
  const isListed = new Set(listed);
  const own = pathBelow(project.path, checkoutRoot(project));
  // A trailing slash means another repository, such as a worktree.
  const wanted = (ignored ?? []).filter(
    (path) => !path.endsWith("/") && (own === null || !path.startsWith(`${own}/`)) && isListed.has(path),
  );
  const paths: string[] = [];
  const notes: string[] = [];
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    await Promise.all(wanted.slice(at, at + AT_ONCE).map(copyOne));
  }
  return { paths, notes };

  async function copyOne(path: string): Promise<void> {
    const target = join(folder, path);
    const { fs } = tools.host;
    // A name that is not UTF-8 does not survive as text; such a file is not found under the mangled name.
    if ((await fs.stat(join(project.path, path))) === null) {
      notes.push(`${path} was not copied: it cannot be read under this name.`);
      return;
    }
    if ((await fs.stat(target)) !== null) return;
    if (!(await isPlainFolder(tools, folder, dirname(path)))) {
      notes.push(`${path} was not copied: its folder in the checkout is a link or a file.`);
      return;
    }
    await fs.makeDir(dirname(target));
    await fs.copy(join(project.path, path), target);
    paths.push(path);
  }
}

/** Its lines as git reads them in a file: without comments, empty lines and spaces at the end. */
function rulesIn(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => {
    const trimmed = line.trimEnd();
    // No file's name has a null byte, and no argument may.
    if (trimmed === "" || trimmed.startsWith("#") || trimmed.includes("\0")) return [];
    // An escaped space belongs to the name.
    return [trimmed.endsWith("\\") && line.length > trimmed.length ? `${trimmed} ` : trimmed];
  });
}
