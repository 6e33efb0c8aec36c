import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Settings } from "./settings.ts";

/** What a thread is started and resumed with. */
export interface ThreadSetup {
  readonly approvalPolicy: "untrusted" | "on-request" | "never";
  readonly sandbox: "workspace-write" | "danger-full-access";
  readonly model?: string;
  readonly config: Readonly<Record<string, unknown>>;
}

export interface ThreadPlace {
  /** Folders beside the workspace that a commit needs. */
  readonly roots: readonly string[];
  /** Is the program in a sandbox of `ao`, where its own cannot be made and is not needed? */
  readonly isEnclosed: boolean;
}

/**
 * The policy in the program's own form. Where edits are free, so are commands that its sandbox keeps in the workspace; rules
 * about what is never done need to be asked about everything that is not plain reading, and are answered here. The folder
 * is not named: a thread with a named folder makes the program write into the user's configuration that it is trusted.
 */
export function composeThread(settings: Settings, { roots, isEnclosed }: ThreadPlace): ThreadSetup {
  const { permissions, deny, model } = settings;
  const isFree = permissions === "all" || isEnclosed;
  return {
    approvalPolicy: deny.length > 0 ? "untrusted" : POLICIES[permissions],
    sandbox: isFree ? "danger-full-access" : "workspace-write",
    ...(model === undefined ? {} : { model }),
    config: isFree ? {} : { "sandbox_workspace_write.writable_roots": roots },
  };
}

const POLICIES = { ask: "untrusted", edits: "on-request", all: "never" } as const;

/** The git folders of a workspace: a commit in a linked worktree writes to its own and to that of the repository. */
export function gitFolders(cwd: string): readonly string[] {
  try {
    const path = join(cwd, ".git");
    if (statSync(path).isDirectory()) return [path];
    const [, named = ""] = /^gitdir: (.+)$/m.exec(readFileSync(path, "utf8")) ?? [];
    const own = resolve(cwd, named);
    return [resolve(own, readFileSync(join(own, "commondir"), "utf8").trim()), own];
  } catch {
    return [];
  }
}
