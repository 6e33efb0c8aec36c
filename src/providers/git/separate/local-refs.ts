import type { LocalRef } from "../assess.ts";
import { isAncestor, readRefs } from "../refs.ts";
import type { Tools } from "../tools.ts";

/** Every ref that only the clone has, by its name after `refs/`; stash entries are `stash/<n>`, 1 is the oldest. */
export async function listLocalRefs(tools: Tools, folder: string): Promise<readonly LocalRef[]> {
  const all = await readAll(tools, folder);
  const refs: LocalRef[] = [];
  for (const [name, object] of all) {
    if (!/^(remotes|ao)\/|^stash$/.test(name)) refs.push({ name, object });
  }
  const stash = all.get("stash");
  if (stash === undefined) return refs;
  const args = ["reflog", "show", "--format=%H", "refs/stash", "--"];
  const { stdout } = await tools.git({ cwd: folder, args, okCodes: [0, 128] });
  // Newest first; without its reflog the stash is its newest entry.
  const entries = stdout.split("\n").filter((line) => line !== "");
  if (entries[0] !== stash) entries.unshift(stash);
  return [...refs, ...entries.reverse().map((object, at) => ({ name: `stash/${at + 1}`, object }))];
}

/** Those that the project does not have in some form: all but its own branches, and the session's. */
export async function findUnsaved(
  tools: Tools,
  project: string,
  { refs, branch }: { readonly refs: readonly LocalRef[]; readonly branch: string },
): Promise<readonly LocalRef[]> {
  const others = refs.filter(({ name }) => name !== `heads/${branch}`);
  if (others.length === 0) return [];
  const known = await readAll(tools, project);
  const unsaved: LocalRef[] = [];
  for (const ref of others) {
    if (known.get(ref.name) === ref.object) continue;
    // Only for a branch is it enough that its commits exist: a tag or a note is more than what it points to.
    if (ref.name.startsWith("heads/") && (await isReachable(tools, project, ref.object))) continue;
    unsaved.push(ref);
  }
  return unsaved;
}

/** Is the clone's branch in the project's, as far as the clone has committed? */
export async function isPublished(
  tools: Tools,
  project: string,
  { folder, branch }: { readonly folder: string; readonly branch: string },
): Promise<boolean> {
  const ref = `refs/heads/${branch}`;
  const head = (await readRefs(tools.git, folder, [ref])).get(ref);
  // A commit that the project does not know makes git fail, which is an answer too.
  return head === undefined || isAncestor(tools.git, project, { commit: head, of: ref }).catch(() => false);
}

async function readAll(tools: Tools, cwd: string): Promise<ReadonlyMap<string, string>> {
  const { stdout } = await tools.git({ cwd, args: ["for-each-ref", "--format=%(objectname) %(refname)"] });
  const lines = stdout.split("\n").filter((line) => line !== "");
  return new Map(lines.map((line) => [line.slice(line.indexOf(" refs/") + 6), line.slice(0, line.indexOf(" "))]));
}

async function isReachable(tools: Tools, project: string, commit: string): Promise<boolean> {
  // What ao saved may be deleted again, so it does not count.
  const args = ["rev-list", "--max-count=1", commit, "--not", "--exclude=refs/ao/*", "--all"];
  const { code, stdout } = await tools.git({ cwd: project, args, okCodes: [0, 128] });
  return code === 0 && stdout === "";
}
