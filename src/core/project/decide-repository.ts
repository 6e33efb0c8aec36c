import { type Emitted, onProject } from "../event.ts";
import type { World } from "../world.ts";
import type { BaseCommit, FollowedBase, SeenRepository } from "./repository.ts";
import type { ProjectState } from "./state.ts";

/** Addresses of agents that commit under their own name end with this. */
const AGENT_DOMAIN = "@ao.invalid";

/** A look at a project's repository: is it there, and did its default branch only gain what `ao` or a person merged? */
export function decideRepository(world: World, projectId: string, seen: SeenRepository): readonly Emitted[] {
  const project = world.project(projectId);
  if (project === undefined || project.removed) return [];
  const isMissing = (project.missing ?? null) !== null;
  if (seen.kind === "missing") {
    return isMissing ? [] : onProject(projectId, { type: "project.vanished", evidence: seen.evidence });
  }
  const back = isMissing ? onProject(projectId, { type: "project.reappeared" }) : [];
  return [...back, ...followBase(world, project, seen.base)];
}

/** Dismisses what happened to the default branch. */
export function decideBaseAccepted(world: World, projectId: string, by: string): readonly Emitted[] {
  const warning = world.project(projectId)?.baseWarning ?? null;
  return warning === null ? [] : onProject(projectId, { type: "project.base-accepted", by });
}

function followBase(world: World, project: ProjectState, base: FollowedBase): readonly Emitted[] {
  const { since, head, lost, commits } = base;
  const { id, ownBase = null, baseWarning } = project;
  // Somebody else has followed it meanwhile.
  if (head === ownBase || (since !== null && since !== ownBase)) return [];
  const followed = head === null ? [] : onProject(id, { type: "project.base-followed", head });
  if (since === null) return followed;
  // A person has put it back.
  if (baseWarning != null && head === baseWarning.from) return followed;
  const sessions = committersOf(world, id, commits);
  if (head === null || lost > 0) {
    return onProject(id, { type: "project.base-rewritten", from: since, head, count: lost, sessions });
  }
  if (sessions.length === 0) return followed;
  return onProject(id, { type: "project.base-committed", from: since, head, count: commits.length, sessions });
}

/** The sessions whose agents committed to the branch themselves: neither a merge of `ao` nor a branch that somebody merged whole. */
function committersOf(world: World, projectId: string, commits: readonly BaseCommit[]): readonly string[] {
  const merged = mergesOf(world, projectId);
  const revert = world.project(projectId)?.main?.broken?.revert ?? null;
  const found = new Set<string>();
  let until: string | null = null;
  for (const { commit, committer } of commits) {
    if (commit === until) until = null;
    // A rebase brings several commits, all of them after the base that it began on.
    until ??= merged.get(commit) ?? null;
    const id = committer.endsWith(AGENT_DOMAIN) ? committer.slice(0, -AGENT_DOMAIN.length) : null;
    const isOurs = until !== null || commit === revert;
    const session = isOurs || id === null ? undefined : world.session(id);
    if (session?.projectId === projectId && session.branchSeen?.head !== commit) found.add(session.id);
  }
  return [...found];
}

/** The commits that merges of `ao` made, each with the commit of the base before it. */
function mergesOf(world: World, projectId: string): ReadonlyMap<string, string> {
  const changes = [...world.changes()].filter((change) => change.projectId === projectId);
  return new Map(changes.flatMap(({ merged }) => (merged === null ? [] : [[merged.commit, merged.baseBefore]])));
}
