import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { foldersAbove } from "../../config/folders-above.ts";
import { SESSION_MARKER } from "../../core/name.ts";

/** The session whose worktree or clone contains a folder, or null. */
export function sessionAt(folder: string): string | null {
  for (const at of foldersAbove(resolve(folder), process.env)) {
    const gitDir = gitDirOf(at);
    // The innermost repository decides: one that an agent cloned into its worktree is not the session's.
    if (gitDir !== null) return readMarker(join(gitDir, SESSION_MARKER));
  }
  return null;
}

/** The session that the command runs in: by its folder, else by the agent's environment. */
export function sessionHere(): string | null {
  const byEnvironment = process.env["AO_SESSION"];
  return sessionAt(".") ?? (byEnvironment === undefined || byEnvironment === "" ? null : byEnvironment);
}

function gitDirOf(folder: string): string | null {
  const path = join(folder, ".git");
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return null;
    if (found.isDirectory()) return path;
    const linked = /^gitdir: (.+)$/m.exec(readFileSync(path, "utf8"))?.[1];
    return linked === undefined ? null : resolve(folder, linked);
  } catch {
    return null;
  }
}

function readMarker(file: string): string | null {
  try {
    const { sessionId } = JSON.parse(readFileSync(file, "utf8")) as { readonly sessionId?: unknown };
    return typeof sessionId === "string" && sessionId !== "" ? sessionId : null;
  } catch {
    return null;
  }
}
