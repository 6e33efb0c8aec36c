import { join } from "node:path";
import type { PreservedRef, WorkspaceRef } from "../../../ports/workspace.ts";
import { refComponent } from "../../../providers/git/preserved.ts";
import type { Tools } from "../../../providers/git/tools.ts";

/** The ref prefix for a sandboxed session's stash: `<n>` is the n-th entry, 1 is the oldest. */
function stashPrefix(sessionId: string): string {
  return `refs/ao/stash/${refComponent(sessionId)}/`;
}

/**
 * Creates refs for the entries of a sandboxed session's stash. Only its sandbox knows them, and git would prune them.
 */
export async function keepStash(tools: Tools, home: string, { project, sessionId }: WorkspaceRef): Promise<void> {
  const log = join(home, "sessions", sessionId, "git/logs/refs/stash");
  const lines = ((await tools.host.fs.readText(log)) ?? "").split("\n");
  const commits = lines.flatMap((line) => /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) /.exec(line)?.[1] ?? []);
  if (commits.length === 0) return;
  const stdin = commits.map((commit, at) => `update ${stashPrefix(sessionId)}${at + 1} ${commit}\n`).join("");
  await tools.git({ cwd: project.path, args: ["update-ref", "-m", "ao: kept stash", "--stdin"], stdin });
}

/** Deletes a session's kept stash, or only lists it. */
export async function dropStash(tools: Tools, ref: WorkspaceRef, dryRun: boolean): Promise<readonly PreservedRef[]> {
  const cwd = ref.project.path;
  const args = ["for-each-ref", "--format=%(objectname) %(refname)", stashPrefix(ref.sessionId)];
  const { stdout } = await tools.git({ cwd, args });
  const kept = stdout.split("\n").flatMap((line) => {
    const [commit = "", name = ""] = line.split(" ");
    return name === "" ? [] : [{ ref: name, commit }];
  });
  if (!dryRun && kept.length > 0) {
    const stdin = kept.map((one) => `delete ${one.ref} ${one.commit}\n`).join("");
    await tools.git({ cwd, args: ["update-ref", "--stdin"], stdin });
  }
  return kept;
}
