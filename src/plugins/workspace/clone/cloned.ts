import { join } from "node:path";
import type { WorkspaceRef } from "../../../ports/workspace.ts";
import { type Assessment, assessFolder, keepFor } from "../../../providers/git/assess.ts";
import { coverPath } from "../../../providers/git/cover.ts";
import type { CheckoutKind, CheckoutTools, SaveOutcome } from "../../../providers/git/kind.ts";
import { foreign } from "../../../providers/git/recover.ts";
import { readRefs } from "../../../providers/git/refs.ts";
import { saveSnapshot } from "../../../providers/git/save.ts";
import type { Tools } from "../../../providers/git/tools.ts";
import { findKeptBranch, keepRefs } from "./kept.ts";
import { findUnsaved, listLocalRefs } from "./local-refs.ts";
import { buildingPath, makeClone } from "./make.ts";
import { publishBranch } from "./publish.ts";
import { dropIncoming, whileBrought } from "./transfer.ts";

/** Checkouts that are separate repositories, created from a mirror below AO_HOME. */
export function clonedCheckouts(base: Tools, home: string): CheckoutTools {
  const { git, host } = base;
  const kind: CheckoutKind = {
    findGitDir: async (folder) => {
      const stat = await host.fs.stat(join(folder, ".git"));
      return stat?.kind === "directory" ? join(folder, ".git") : null;
    },
    findOther: async (request, _, branch) => {
      const ref = `refs/heads/${branch}`;
      const kept = await findKeptBranch(base, request, branch);
      return kept ?? (await readRefs(git, request.project.path, [ref])).get(ref) ?? null;
    },
    make: (place, request, plan, marker) => makeClone(base, home, { place, request, plan, marker }),
    clearAbsent: async (place) => {
      await host.fs.remove(buildingPath(place.path));
      return { kind: "absent", notes: [] };
    },
    // A clone has its marker before it is moved into place.
    judgeUnmarked: async (place) => foreign(place, "is a repository that ao did not make"),
    rebuildBranch: async ({ project, sessionId, branch, generation }, place) => {
      const ref = `refs/heads/${branch}`;
      if ((await readRefs(git, project.path, [ref])).has(ref)) return null;
      const asked = { project, sessionId, branch, generation, path: place.path };
      const published = await publishBranch(base, asked, place.path);
      if (published.kind !== "published") return null;
      return `The branch ${branch} was gone and has been rebuilt at ${published.head.slice(0, 12)}, its commit in the clone.`;
    },
    assess: (_, folder, gitDir) => assessClone(base, folder, gitDir),
    save: (ref, folder, state) => saveClone(base, ref, { folder, state }),
    // A clone has no entry elsewhere that could be taken for stale.
    hold: async () => undefined,
    release: async () => undefined,
    forget: async (place) => host.fs.remove(coverPath(home, place.path)),
    settleAbsent: async (ref) => {
      await host.fs.remove(buildingPath(ref.path));
      return null;
    },
  };
  return { ...base, kind };
}

/** Examines everything that would be removed with a clone: its files, and every ref that only it has. */
async function assessClone(tools: Tools, folder: string, gitDir: string): Promise<Assessment> {
  const [linked] = await tools.host.fs.list(join(gitDir, "worktrees"));
  if (linked !== undefined) return keepFor(`it has a worktree of its own, ${linked}`);
  const state = await assessFolder(tools, folder, gitDir);
  return state.kind === "keep" ? state : { ...state, refs: await listLocalRefs(tools, folder) };
}

/** Brings all that only the clone has into the project: its branch, its other refs, and what is not committed. */
async function saveClone(
  tools: Tools,
  ref: WorkspaceRef,
  { folder, state }: { readonly folder: string; readonly state: Assessment },
): Promise<SaveOutcome> {
  if (state.kind === "keep") return { kind: "refused", reason: state.reason };
  const published = await publishBranch(tools, ref, folder);
  if (published.kind === "refused") return { kind: "refused", reason: `cannot be removed: ${published.reason}` };
  const to = ref.project.path;
  await keepRefs(tools, ref, {
    folder,
    refs: await findUnsaved(tools, to, { refs: state.refs ?? [], branch: ref.branch }),
  });
  await dropIncoming(tools, to, ref.sessionId);
  if (state.kind === "clean") return { kind: "saved", preservedRef: null };
  const { sessionId, generation } = ref;
  // The trees were written to the clone; the saved commit and everything it needs is copied before it gets its ref.
  const preservedRef = await saveSnapshot(tools, {
    cwd: to,
    sessionId,
    generation,
    snapshot: state.snapshot,
    source: { cwd: folder, hold: (commit, task) => whileBrought(tools, { from: folder, to, sessionId, commit }, task) },
  });
  return { kind: "saved", preservedRef };
}
