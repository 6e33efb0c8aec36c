import type { PreservedRef, WorkspaceRef } from "../../ports/workspace.ts";
import { listSaved, supersededPrefix } from "./preserved.ts";
import type { Tools } from "./tools.ts";

/** Deletes a session's saved states and gives their names and commits, so that a person can bring one back by hand. */
export async function dropPreserved(
  tools: Tools,
  ref: WorkspaceRef,
  dryRun: boolean,
): Promise<readonly PreservedRef[]> {
  const cwd = ref.project.path;
  const { all } = await listSaved(tools.git, cwd, ref.sessionId);
  const states = all.map(({ ref: name, commit }) => ({ ref: name, commit }));
  if (dryRun) return states;
  for (const state of states) {
    // Compare and swap: a state that was saved over in this moment stays.
    await tools.git({ cwd, args: ["update-ref", "-d", state.ref, state.commit], okCodes: [0, 1, 128] });
  }
  const history = await tools.git({
    cwd,
    args: ["for-each-ref", "--format=%(refname)", supersededPrefix(ref.sessionId)],
  });
  for (const name of history.stdout.split("\n").filter((line) => line !== "")) {
    await tools.git({ cwd, args: ["update-ref", "-d", name], okCodes: [0, 1, 128] });
  }
  return states;
}
