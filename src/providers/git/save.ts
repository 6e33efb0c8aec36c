import { join } from "node:path";
import {
  formatMessage,
  listSaved,
  type Preserved,
  preservedPrefix,
  type Snapshot,
  supersededPrefix,
} from "./preserved.ts";
import { isAncestor } from "./refs.ts";
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
  /** The repository with the state's objects, if it is another one, and how `cwd` gets a commit from it. */
  readonly source?: { readonly cwd: string; hold<T>(commit: string, task: () => Promise<T>): Promise<T> };
}

/** Saves a state under the session's next free ref and returns the ref; the same state returns the same ref. */
export async function saveSnapshot(tools: Tools, request: SaveRequest): Promise<string> {
  const { current, nextNumber } = await listSaved(tools.git, request.cwd, request.sessionId);
  if (current !== null && isSame(current, request)) return current.ref;
  const commit = await writeCommits(tools, request);
  const giveRef = (): Promise<string> => takeNextRef(tools, request, { commit, nextNumber });
  return request.source === undefined ? giveRef() : request.source.hold(commit, giveRef);
}

async function takeNextRef(
  tools: Tools,
  request: SaveRequest,
  { commit, nextNumber }: { readonly commit: string; readonly nextNumber: number },
): Promise<string> {
  const prefix = preservedPrefix(request.sessionId);
  const last = nextNumber + MAX_TRIES;
  for (let number = nextNumber; ; number += 1) {
    const ref = `${prefix}${number}`;
    // The empty old value means "must not exist": a saved state is never overwritten.
    const args = ["update-ref", "-m", "ao: saved work", ref, commit, ""];
    const { code } = await tools.git({ cwd: request.cwd, args, okCodes: number < last ? [0, 128] : [0] });
    if (code === 0) return ref;
  }
}

/** Marks a restored state as superseded; the state itself stays. */
export async function supersede(
  tools: Tools,
  cwd: string,
  { sessionId, preservedRef }: { readonly sessionId: string; readonly preservedRef: string },
): Promise<void> {
  const number = preservedRef.slice(preservedRef.lastIndexOf("/") + 1);
  const args = ["update-ref", `${supersededPrefix(sessionId)}${number}`, preservedRef];
  // The state may have been deleted meanwhile; then there is nothing to mark.
  await tools.git({ cwd, args, okCodes: [0, 128] });
}

/** Saves a detached HEAD that is on no branch, for a worktree of which only the git folder is left. */
export async function saveDetachedHead(
  tools: Tools,
  gitDir: string,
  request: Omit<SaveRequest, "snapshot"> & { readonly branch: string },
): Promise<string | null> {
  const head = (await tools.host.fs.readText(join(gitDir, "HEAD")))?.trim() ?? "";
  if (!/^[0-9a-f]{40,64}$/.test(head) || /^0+$/.test(head)) return null;
  const { cwd, branch } = request;
  if (await isAncestor(tools.git, cwd, { commit: head, of: `refs/heads/${branch}` }).catch(() => false)) return null;
  const tree = (await tools.git({ cwd, args: ["rev-parse", `${head}^{tree}`] })).stdout.trim();
  const snapshot: Snapshot = { head, branch: null, workTree: tree, indexTree: tree, intentToAdd: [] };
  return saveSnapshot(tools, { ...request, snapshot });
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
  const { snapshot } = request;
  const cwd = request.source?.cwd ?? request.cwd;
  const commit = async (tree: string, parents: readonly string[], message: string): Promise<string> => {
    const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-F", "-"];
    return (await tools.git({ cwd, env: IDENTITY, args, stdin: message })).stdout.trim();
  };
  const index = await commit(snapshot.indexTree, [snapshot.head], `ao: index of ${request.sessionId}\n`);
  const message = formatMessage(snapshot, request.sessionId, request.generation);
  return commit(snapshot.workTree, [snapshot.head, index], message);
}
