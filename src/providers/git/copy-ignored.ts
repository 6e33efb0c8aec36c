import { dirname, join } from "node:path";
import type { CloneResult } from "../../ports/host.ts";
import type { WorkspaceProject } from "../../ports/workspace.ts";
import { deleteTree } from "./delete-tree.ts";
import { splitNul } from "./git.ts";
import { normalizePath } from "./inner-path.ts";
import { asidePaths } from "./layout.ts";
import { isPlainFolder, type Placed } from "./symlink.ts";
import type { Tools } from "./tools.ts";

const DONE: Readonly<Record<Exclude<CloneResult, "impossible">, string>> = {
  cloned: "was cloned from the main checkout, copy-on-write",
  linked: "was hard-linked from the main checkout: a file that is changed in place changes in both",
  copied: "was copied from the main checkout",
};

/** Copies large folders that git ignores, such as node_modules, into a new checkout, in the configured way. */
export async function copyIgnored(tools: Tools, project: WorkspaceProject, folder: string): Promise<Placed> {
  const { how } = tools.config.copyIgnored;
  const paths: string[] = [];
  const notes: string[] = [];
  for (const path of how === "none" ? [] : await findWanted(tools, project, folder)) {
    const result = await copyOne(tools, { from: join(project.path, path), to: join(folder, path) }, folder);
    if (result === "impossible") {
      // The default is best effort; a missing copy is reported only if the user configured it.
      if (how !== "auto") notes.push(`${path} was not copied: the file system cannot do it (${how}).`);
    } else if (result instanceof Error) {
      notes.push(`${path} was not copied: ${result.message}`);
    } else {
      paths.push(path);
      notes.push(`${path} ${DONE[result]}.`);
    }
  }
  return { paths, notes };
}

async function findWanted(tools: Tools, project: WorkspaceProject, folder: string): Promise<readonly string[]> {
  const { fs } = tools.host;
  const linked = new Set((project.symlinks ?? []).map(normalizePath));
  const present: string[] = [];
  for (const path of new Set(tools.config.copyIgnored.paths.map(normalizePath))) {
    const isThere = (await fs.stat(join(project.path, path)))?.kind === "directory";
    const isFree = (await fs.stat(join(folder, path))) === null && (await isPlainFolder(tools, folder, dirname(path)));
    if (isThere && isFree && !linked.has(path)) present.push(path);
  }
  if (present.length === 0) return [];
  const stdin = present.map((path) => `${path}\0`).join("");
  const args = ["check-ignore", "-z", "--stdin"];
  return splitNul((await tools.git({ cwd: project.path, args, stdin, okCodes: [0, 1] })).stdout);
}

/** The tree is created beside the checkout and then moved: after a crash it is there completely or not at all. */
async function copyOne(
  tools: Tools,
  { from, to }: { readonly from: string; readonly to: string },
  folder: string,
): Promise<CloneResult | Error> {
  const { fs } = tools.host;
  const { how } = tools.config.copyIgnored;
  const { copying } = asidePaths(folder);
  try {
    await deleteTree(tools, copying);
    const result = await fs.cloneTree(from, copying, how === "hardlink" || how === "copy" ? how : "cow");
    if (result === "impossible") return result;
    await fs.makeDir(dirname(to));
    await fs.rename(copying, to);
    return result;
  } catch (error) {
    await deleteTree(tools, copying);
    return error as Error;
  }
}
