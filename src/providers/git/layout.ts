import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { WorkspaceProject } from "../../ports/workspace.ts";
import { failure } from "./failure.ts";

/** Where a session's checkout is, and the git folder of the repository it belongs to. */
export interface Place {
  readonly path: string;
  readonly commonDir: string;
}

/** The folder that holds a project's checkouts. */
export function checkoutRoot(project: WorkspaceProject): string {
  return resolve(project.path, project.worktreeDir ?? ".worktrees");
}

/** The folder of one checkout; rejects anything but a single folder name. */
export function checkoutPath(project: WorkspaceProject, name: string): string {
  if (name === "" || name === "." || name === ".." || /[/\0]/.test(name) || name.startsWith(".ao-")) {
    throw failure("usage", "config", { message: `"${name}" cannot be the name of a checkout's folder.` });
  }
  return join(checkoutRoot(project), name);
}

/**
 * Where a checkout goes during its removal. All are next to it, so that each step is one atomic rename: `removing` was
 * moved aside but not yet compared with what was saved; `deleting` was compared and may go. `copying` is content for a
 * new checkout.
 */
export function asidePaths(path: string): {
  readonly removing: string;
  readonly deleting: string;
  readonly copying: string;
} {
  const beside = (what: string): string => join(dirname(path), `.ao-${what}-${basename(path)}`);
  return { removing: beside("removing"), deleting: beside("deleting"), copying: beside("copying") };
}

/** The path from one folder to another below it, or null if it is not below. */
export function pathBelow(parent: string, child: string): string | null {
  const path = relative(parent, child);
  return path === "" || path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path) ? null : path;
}
