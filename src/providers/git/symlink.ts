import { dirname, join } from "node:path";
import type { WorkspaceProject } from "../../ports/workspace.ts";
import { failure } from "./failure.ts";
import { isInside, normalizePath, partsOf } from "./inner-path.ts";
import type { Tools } from "./tools.ts";

export interface Placed {
  /** Paths of the created links, relative to the work tree. */
  readonly paths: readonly string[];
  readonly notes: readonly string[];
}

/** Rejects paths outside the project or inside its git folder. */
export function checkSymlinks(paths: readonly string[]): void {
  for (const path of paths) {
    if (isInside(path)) continue;
    throw failure("config-invalid", "config", {
      message: `"${path}" cannot be linked into a checkout.`,
      hint: "Entries of symlinks are paths below the project's root, such as node_modules or config/local.json.",
    });
  }
}

/** Links files and folders of the main checkout into the checkout; existing ones stay. */
export async function linkShared(tools: Tools, project: WorkspaceProject, folder: string): Promise<Placed> {
  const { fs } = tools.host;
  const paths: string[] = [];
  const notes: string[] = [];
  for (const written of project.symlinks ?? []) {
    const path = normalizePath(written);
    const source = join(project.path, path);
    const target = join(folder, path);
    if ((await fs.readLink(target).catch(() => null)) === source) {
      paths.push(path);
    } else if ((await fs.stat(source)) === null) {
      notes.push(`${path} was not linked: it does not exist in ${project.path}.`);
    } else if ((await fs.stat(target)) !== null) {
      notes.push(`${path} was not linked: the branch has its own.`);
    } else if (!(await isPlainFolder(tools, folder, dirname(path)))) {
      notes.push(`${path} was not linked: its folder in the checkout is a link or a file.`);
    } else {
      await fs.makeDir(dirname(target));
      await fs.makeLink(source, target);
      paths.push(path);
    }
  }
  return { paths, notes };
}

/** Can a file be created in this folder of the checkout without leaving it through a link? */
export async function isPlainFolder(tools: Pick<Tools, "host">, root: string, path: string): Promise<boolean> {
  let folder = root;
  for (const part of partsOf(path)) {
    folder = join(folder, part);
    const stat = await tools.host.fs.stat(folder);
    if (stat === null) return true;
    if (stat.kind !== "directory") return false;
  }
  return true;
}
