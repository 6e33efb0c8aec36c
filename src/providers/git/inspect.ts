import { join } from "node:path";
import { shortCommit } from "../../core/hash.ts";
import type { HostFs } from "../../ports/host.ts";
import type { WorkspaceCondition, WorkspaceRef } from "../../ports/workspace.ts";
import type { CheckoutTools } from "./kind.ts";
import { readMarker } from "./marker.ts";
import { findCommonDir } from "./repository.ts";

const MAX_HEAD_BYTES = 4096;

/** Does the checkout still exist, with its branch? Reads a few files and starts no process. */
export async function inspectWorkspace(tools: CheckoutTools, ref: WorkspaceRef): Promise<WorkspaceCondition> {
  try {
    return await look(tools, ref);
  } catch (error) {
    return { kind: "unknown", evidence: (error as Error).message };
  }
}

async function look(tools: CheckoutTools, ref: WorkspaceRef): Promise<WorkspaceCondition> {
  const { fs } = tools.host;
  const stat = await fs.stat(ref.path);
  if (stat === null) return { kind: "missing", evidence: `${ref.path} does not exist` };
  const gitDir = await tools.kind.findGitDir(ref.path);
  if (gitDir === null) return { kind: "missing", evidence: `${ref.path} has no .git of its own` };
  if ((await fs.stat(gitDir)) === null) {
    return { kind: "missing", evidence: `${gitDir}, the git folder of ${ref.path}, does not exist` };
  }
  const marker = await readMarker(fs, gitDir);
  if (marker !== null && marker.sessionId !== ref.sessionId) {
    return { kind: "missing", evidence: `${ref.path} belongs to session ${marker.sessionId}` };
  }
  const commonDir = await findCommonDir(fs, ref.project.path);
  if (await hasBranch(fs, commonDir, ref.branch)) {
    const on = await findOther(fs, gitDir, ref.branch);
    return on === null ? { kind: "ready" } : { kind: "ready", on };
  }
  return { kind: "branch-missing", evidence: `refs/heads/${ref.branch} does not exist in ${commonDir}` };
}

/** What HEAD names in place of the session's branch; null: it is on its branch, or the file does not say. */
async function findOther(fs: HostFs, gitDir: string, branch: string): Promise<string | null> {
  const file = join(gitDir, "HEAD");
  // The agent may have put anything in its place.
  const stat = await fs.stat(file);
  if (stat?.kind !== "file" || stat.size > MAX_HEAD_BYTES) return null;
  const head = ((await fs.readText(file)) ?? "").trim();
  const name = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  // The other format of refs keeps HEAD elsewhere, and a name that cannot be here.
  if (name !== undefined) return name === branch || name === ".invalid" ? null : name;
  if (!/^[0-9a-f]{40,64}$/.test(head)) return null;
  for (const step of ["rebase-merge", "rebase-apply", "BISECT_LOG"]) {
    if ((await fs.stat(join(gitDir, step))) !== null) return null;
  }
  return shortCommit(head);
}

async function hasBranch(fs: HostFs, commonDir: string, branch: string): Promise<boolean> {
  const name = `refs/heads/${branch}`;
  if ((await fs.stat(join(commonDir, name)))?.kind === "file") return true;
  const packed = await fs.readText(join(commonDir, "packed-refs"));
  if (packed?.split("\n").some((line) => line.endsWith(` ${name}`)) === true) return true;
  // The reftable format cannot be read without git; assuming that a branch exists is safer than missing one.
  return (await fs.stat(join(commonDir, "reftable"))) !== null;
}
