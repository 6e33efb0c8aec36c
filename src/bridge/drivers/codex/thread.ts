import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Settings } from "./settings.ts";

/** The parameters for starting and resuming a thread. */
export interface ThreadSetup {
  readonly approvalPolicy: "untrusted" | "on-request" | "never";
  readonly sandbox: "workspace-write" | "danger-full-access";
  readonly model?: string;
  readonly config: Readonly<Record<string, unknown>>;
}

export interface ThreadPlace {
  /** Folders outside the workspace that a commit needs. */
  readonly roots: readonly string[];
  /** Is the program in a sandbox of `ao`, where it cannot create its own and does not need it? */
  readonly isEnclosed: boolean;
}

/**
 * The policy in the program's terms. If edits are free, so are commands that its sandbox confines to the workspace;
 * with rules about what to ask or deny, the program must ask about everything but plain reads, and the driver answers. The folder is not
 * passed: for a thread with an explicit folder, the program records it as trusted in the user's configuration.
 */
export function composeThread(settings: Settings, { roots, isEnclosed }: ThreadPlace): ThreadSetup {
  const { permissions, ask, deny, model } = settings;
  const isFree = permissions === "all" || isEnclosed;
  return {
    approvalPolicy: ask.length + deny.length > 0 ? "untrusted" : POLICIES[permissions],
    sandbox: isFree ? "danger-full-access" : "workspace-write",
    ...(model === undefined ? {} : { model }),
    config: isFree ? {} : { "sandbox_workspace_write.writable_roots": roots },
  };
}

const POLICIES = { ask: "untrusted", edits: "on-request", all: "never" } as const;

/** The git folders of a workspace: a commit in a linked worktree writes to its own and to the repository's. */
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
