import { formatMessage, listPreserved, type Preserved, preservedPrefix, type Snapshot } from "./preserved.ts";
import type { Tools } from "./tools.ts";

const IDENTITY = {
  GIT_AUTHOR_NAME: "ao",
  GIT_AUTHOR_EMAIL: "ao@localhost",
  GIT_COMMITTER_NAME: "ao",
  GIT_COMMITTER_EMAIL: "ao@localhost",
};
const MAX_TRIES = 100;

export interface SaveRequest {
  readonly cwd: string;
  readonly sessionId: string;
  readonly generation: number;
  readonly snapshot: Snapshot;
}

/** Puts a state under the session's next free ref and gives the ref; the same state twice gives the same ref. */
export async function saveSnapshot(tools: Tools, request: SaveRequest): Promise<string> {
  const earlier = await listPreserved(tools.git, request.cwd, request.sessionId);
  const newest = earlier.at(-1);
  if (newest !== undefined && isSame(newest, request)) return newest.ref;
  const commit = await writeCommits(tools, request);
  const prefix = preservedPrefix(request.sessionId);
  const first = (newest?.number ?? 0) + 1;
  for (let number = first; number < first + MAX_TRIES; number += 1) {
    const ref = `${prefix}${number}`;
    // The empty old value means "must not exist": a saved state is never overwritten.
    const args = ["update-ref", "-m", "ao: saved work", ref, commit, ""];
    const { code } = await tools.git({
      cwd: request.cwd,
      args,
      okCodes: number < first + MAX_TRIES - 1 ? [0, 128] : [0],
    });
    if (code === 0) return ref;
  }
  throw new Error("unreachable: the last try rejects");
}

function isSame(preserved: Preserved, request: SaveRequest): boolean {
  const { snapshot } = request;
  return (
    preserved.generation === request.generation &&
    preserved.head === snapshot.head &&
    preserved.branch === snapshot.branch &&
    preserved.workTree === snapshot.workTree &&
    preserved.indexTree === snapshot.indexTree &&
    JSON.stringify(preserved.intentToAdd) === JSON.stringify(snapshot.intentToAdd)
  );
}

async function writeCommits(tools: Tools, request: SaveRequest): Promise<string> {
  const { snapshot, cwd } = request;
  const commit = async (tree: string, parents: readonly string[], message: string): Promise<string> => {
    const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-F", "-"];
    return (await tools.git({ cwd, env: IDENTITY, args, stdin: message })).stdout.trim();
  };
  const index = await commit(snapshot.indexTree, [snapshot.head], `ao: index of ${request.sessionId}\n`);
  const message = formatMessage(snapshot, request.sessionId, request.generation);
  return commit(snapshot.workTree, [snapshot.head, index], message);
}
