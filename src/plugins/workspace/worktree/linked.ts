import { join } from "node:path";
import { type Assessment, assessFolder, keepFor } from "../../../providers/git/assess.ts";
import type { CheckoutKind, CheckoutTools } from "../../../providers/git/kind.ts";
import { findCheckout, readRefs } from "../../../providers/git/refs.ts";
import { readGitFile } from "../../../providers/git/repository.ts";
import { saveSnapshot } from "../../../providers/git/save.ts";
import type { Tools } from "../../../providers/git/tools.ts";
import { removeAdminDir } from "./admin-dir.ts";
import { lockForRemoval, readLock, unlockAfterRemoval } from "./lock.ts";
import { rebuildBranch } from "./lost-branch.ts";
import { addWorktree, clearRegistration, judgeUnmarked, settleEntry } from "./registration.ts";
import { keepStash } from "./stash.ts";

/** Checkouts that are linked worktrees: they share objects and branches with the project's repository. */
export function linkedWorktrees(base: Tools, home: string): CheckoutTools {
  const { git, host, lane } = base;
  const kind: CheckoutKind = {
    findGitDir: (folder) => readGitFile(host.fs, folder),
    findOther: async (request, place, branch) => {
      const cwd = request.project.path;
      const taken = await lane(place.commonDir, () => findCheckout(git, cwd, branch));
      return taken === null
        ? ((await readRefs(git, cwd, [`refs/heads/${branch}`])).get(`refs/heads/${branch}`) ?? null)
        : null;
    },
    make: ({ place, request, plan }) => addWorktree(tools, place, { request, plan }),
    clearAbsent: (place, request) => clearRegistration(tools, place, request),
    judgeUnmarked: (place, request, gitDir) => judgeUnmarked(tools, place, { request, adminDir: gitDir }),
    rebuildBranch: (request, _, gitDir, fallback) => rebuildBranch(tools, request, { adminDir: gitDir, fallback }),
    assess: (_, folder, gitDir) => assessWorktree(tools, folder, gitDir),
    save: async (ref, _, state) => {
      const { project, sessionId, generation } = ref;
      await keepStash(tools, home, ref);
      if (state.kind !== "dirty") return { kind: "saved", preservedRef: null };
      const request = { cwd: project.path, sessionId, generation, snapshot: state.snapshot };
      return { kind: "saved", preservedRef: await saveSnapshot(tools, request) };
    },
    hold: (gitDir) => lockForRemoval(host.fs, gitDir),
    release: (gitDir) => unlockAfterRemoval(host.fs, gitDir),
    forget: (place, gitDir) => removeAdminDir(host.fs, lane, { commonDir: place.commonDir, adminDir: gitDir }),
    settleAbsent: (ref, place) => settleEntry(tools, ref, place),
  };
  const tools: CheckoutTools = { ...base, kind };
  return tools;
}

/** Examines everything that would be removed with a worktree: its files, and what only its git folder has. */
async function assessWorktree(tools: Tools, folder: string, adminDir: string): Promise<Assessment> {
  const lock = await readLock(tools.host.fs, adminDir);
  if (lock !== null) return keepFor(`the worktree is locked${lock === "" ? "" : `: ${lock}`}`);
  const state = await assessFolder(tools, folder, adminDir);
  if (state.kind === "keep") return state;
  const own = await findOwnRef(tools, adminDir, "refs");
  return own === null ? state : keepFor(`it has a ref of its own, ${own}, that would go with it`);
}

async function findOwnRef(tools: Tools, adminDir: string, path: string): Promise<string | null> {
  const { fs } = tools.host;
  // With a reftable the files below refs are placeholders, so git must be asked.
  if (path === "refs" && (await fs.stat(join(adminDir, "reftable"))) !== null) {
    const args = ["for-each-ref", "--count=1", "--format=%(refname)", "refs/worktree", "refs/bisect", "refs/rewritten"];
    return (await tools.git({ cwd: adminDir, args })).stdout.trim() || null;
  }
  for (const name of await fs.list(join(adminDir, path))) {
    const child = `${path}/${name}`;
    if ((await fs.stat(join(adminDir, child)))?.kind !== "directory") return child;
    const found = await findOwnRef(tools, adminDir, child);
    if (found !== null) return found;
  }
  return null;
}
