import type { CheckoutKind, CheckoutTools } from "../../../providers/git/kind.ts";
import { findCheckout, readRefs } from "../../../providers/git/refs.ts";
import { readGitFile } from "../../../providers/git/repository.ts";
import { saveSnapshot } from "../../../providers/git/save.ts";
import type { Tools } from "../../../providers/git/tools.ts";
import { removeAdminDir } from "./admin-dir.ts";
import { rebuildBranch } from "./lost-branch.ts";
import { assessWorktree } from "./own-state.ts";
import { addWorktree, clearRegistration, judgeUnmarked, settleEntry } from "./registration.ts";

/** Checkouts that are linked worktrees: they share objects and branches with the project's repository. */
export function linkedWorktrees(base: Tools): CheckoutTools {
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
    make: (place, request, plan) => addWorktree(tools, place, request, plan),
    clearAbsent: (place, request) => clearRegistration(tools, place, request),
    judgeUnmarked: (place, request, gitDir) => judgeUnmarked(tools, place, request, gitDir),
    rebuildBranch: (request, _, gitDir, fallback) => rebuildBranch(tools, request, gitDir, fallback),
    assess: (_, folder, gitDir) => assessWorktree(tools, folder, gitDir),
    save: async ({ project, sessionId, generation }, _, state) => {
      if (state.kind !== "dirty") return { kind: "saved", preservedRef: null };
      const request = { cwd: project.path, sessionId, generation, snapshot: state.snapshot };
      return { kind: "saved", preservedRef: await saveSnapshot(tools, request) };
    },
    forget: (place, gitDir) => removeAdminDir(host.fs, lane, place.commonDir, gitDir),
    settleAbsent: (ref, place) => settleEntry(tools, ref, place),
  };
  const tools: CheckoutTools = { ...base, kind };
  return tools;
}
