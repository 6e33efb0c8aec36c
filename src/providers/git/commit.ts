import type { CommitAnswer, CommitRequest, WorkspaceRef } from "../../ports/workspace.ts";
import { changedPaths } from "./changes.ts";
import { tailOf } from "./failure.ts";
import { readStatus, type Status } from "./status.ts";
import type { Tools } from "./tools.ts";

/** Commits all changes of a checkout on its branch, with the user's hooks and settings. */
export async function commitAll(tools: Tools, ref: WorkspaceRef, request: CommitRequest): Promise<CommitAnswer> {
  const status = await readStatus(tools, ref.path);
  const obstacle = findObstacle(status, ref.branch);
  if (obstacle !== null) return { kind: "refused", reason: obstacle };
  const { length: files } = changedPaths(status);
  if (files === 0) return { kind: "nothing" };
  const cwd = ref.path;
  await tools.git({ cwd, args: ["add", "--all"] });
  const { env, message: stdin } = request;
  const done = await tools.git({
    cwd,
    env,
    stdin,
    args: ["commit", "--quiet", "-F", "-"],
    hooks: true,
    okCodes: [0, 1],
  });
  if (done.code !== 0) return { kind: "refused", reason: tailOf(`${done.stdout}\n${done.stderr}`, 10) };
  const { stdout } = await tools.git({ cwd, args: ["rev-parse", "HEAD"] });
  return { kind: "committed", head: stdout.trim(), files };
}

function findObstacle(status: Status, branch: string): string | null {
  const [conflict] = status.unmerged;
  if (conflict !== undefined) return `${conflict} has unresolved conflicts`;
  if (status.branch === null) return "no branch is checked out; a rebase may be in progress";
  return status.branch === branch ? null : `branch ${status.branch} is checked out, not ${branch}`;
}
