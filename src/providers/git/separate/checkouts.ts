import { basename, dirname, join } from "node:path";
import type { WorkspaceRef } from "../../../ports/workspace.ts";
import { type Assessment, assessFolder, keepFor } from "../assess.ts";
import { coverPath } from "../cover.ts";
import type { CheckoutKind, CheckoutTools, SaveOutcome } from "../kind.ts";
import type { Place } from "../layout.ts";
import { foreign } from "../recover.ts";
import { readRefs } from "../refs.ts";
import { saveSnapshot } from "../save.ts";
import type { Tools } from "../tools.ts";
import { findKeptBranch, keepRefs } from "./kept.ts";
import { findUnsaved, listLocalRefs } from "./local-refs.ts";
import { publishBranch } from "./publish.ts";
import { RefusedContent } from "./refused-content.ts";
import { takeOver } from "./take-over.ts";
import { dropIncoming } from "./transfer.ts";

/** How a kind of separate repository begins and ends. */
export interface SeparateKind {
  /** Creates the repository with HEAD as planned and without files; returns its git folder. */
  readonly make: CheckoutKind["make"];
  /** After its removal: gives back what the project keeps for it. */
  release(place: Place): Promise<void>;
}

/** Where a checkout is assembled; it is moved into place in one step, with its marker. */
export function buildingPath(path: string): string {
  return join(dirname(path), `.ao-cloning-${basename(path)}`);
}

/** Checkouts that are repositories of their own; their commits are taken over into the project. */
export function separateCheckouts(base: Tools, home: string, own: SeparateKind): CheckoutTools {
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
    make: own.make,
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
    save: (ref, folder, state) => saveOrRefuse(base, ref, { folder, state }),
    // A clone has no entry elsewhere that could be taken for stale.
    hold: async () => undefined,
    release: async () => undefined,
    forget: async (place) => {
      await own.release(place);
      await host.fs.remove(coverPath(home, place.path));
    },
    settleAbsent: async (ref, place) => {
      await host.fs.remove(buildingPath(ref.path));
      await own.release(place);
      await host.fs.remove(coverPath(home, place.path));
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

// What must not get into the project cannot be saved there, so its folder stays.
async function saveOrRefuse(
  tools: Tools,
  ref: WorkspaceRef,
  found: { readonly folder: string; readonly state: Assessment },
): Promise<SaveOutcome> {
  try {
    return await saveClone(tools, ref, found);
  } catch (error) {
    if (!(error instanceof RefusedContent)) throw error;
    return { kind: "refused", reason: `cannot be removed: some of its objects were refused: ${error.reason}` };
  }
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
    source: {
      cwd: folder,
      hold: (commit, task) => takeOver(tools, { from: folder, to, sessionId, objects: [commit] }, task),
    },
  });
  return { kind: "saved", preservedRef };
}
