import type { WorkspaceRef } from "../../../ports/workspace.ts";
import { findCheckout, isAncestor, readRefs } from "../refs.ts";
import { findCommonDir } from "../repository.ts";
import type { Tools } from "../tools.ts";
import { RefusedContent } from "./refused-content.ts";
import { describeRefusal, takeOver } from "./take-over.ts";

/** In the clone: the project's branch when it was last read or moved from here. */
export const SEEN = "refs/ao/seen";

export type Publication =
  /** `head` is the project's current branch. */
  | { readonly kind: "published"; readonly head: string }
  /** The clone has no such branch (any more). */
  | { readonly kind: "nothing" }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Makes the session's branch in the project equal to the clone's. It moves forward, or to the agent's rewritten version
 * of commits that came from here; other people's commits are never removed, and a checked-out branch is never moved.
 */
export async function publishBranch(tools: Tools, ref: WorkspaceRef, folder: string): Promise<Publication> {
  const own = `refs/heads/${ref.branch}`;
  const project = ref.project.path;
  const here = await readRefs(tools.git, folder, [own, SEEN]);
  const head = here.get(own);
  if (head === undefined) return { kind: "nothing" };
  // In the lane, no worktree of ours can take the branch between the check and the move.
  return tools.lane(await findCommonDir(tools.host.fs, project), async () => {
    const there = (await readRefs(tools.git, project, [own])).get(own);
    if (there === head) return here.get(SEEN) === head ? { kind: "published", head } : seen(tools, folder, head);
    const request = { from: folder, to: project, sessionId: ref.sessionId, objects: [head], since: there };
    try {
      return await takeOver(tools, request, () =>
        move(tools, ref, { folder, heads: { head, there, last: here.get(SEEN) } }),
      );
    } catch (error) {
      if (error instanceof RefusedContent) return { kind: "refused", reason: describeRefusal(ref.branch, head, error) };
      throw error;
    }
  });
}

interface Heads {
  readonly head: string;
  readonly there: string | undefined;
  readonly last: string | undefined;
}

async function move(
  tools: Tools,
  ref: WorkspaceRef,
  { folder, heads }: { readonly folder: string; readonly heads: Heads },
): Promise<Publication> {
  const cwd = ref.project.path;
  const { head, there } = heads;
  if (there !== undefined && there !== heads.last && !(await isAncestor(tools.git, cwd, { commit: there, of: head }))) {
    if (await isAncestor(tools.git, cwd, { commit: head, of: there })) return { kind: "published", head: there };
    const reason = `its branch ${ref.branch} has commits in ${cwd}, up to ${there.slice(0, 12)}, that are not in the clone`;
    return { kind: "refused", reason };
  }
  const path = await findCheckout(tools.git, cwd, ref.branch);
  if (path !== null) return { kind: "refused", reason: `its branch ${ref.branch} is checked out at ${path}` };
  // Compare and swap: what arrives at this moment stays.
  const args = ["update-ref", "-m", "ao: published", `refs/heads/${ref.branch}`, head, there ?? ""];
  const { code } = await tools.git({ cwd, args, okCodes: [0, 1, 128] });
  if (code !== 0)
    return { kind: "refused", reason: `its branch ${ref.branch} cannot be moved in ${cwd} at the moment` };
  return seen(tools, folder, head);
}

async function seen(tools: Tools, folder: string, head: string): Promise<Publication> {
  await tools.git({ cwd: folder, args: ["update-ref", SEEN, head] });
  return { kind: "published", head };
}
