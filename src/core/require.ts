import type { ChangeState } from "./change/state.ts";
import { type Decision, reject } from "./input.ts";
import type { ProjectState } from "./project/state.ts";
import type { SessionState } from "./session/state.ts";
import type { World } from "./world.ts";

/** Decides on a session, or rejects if there is none with this id. */
export function requireSession(world: World, id: string, then: (session: SessionState) => Decision): Decision {
  const session = world.session(id);
  if (session !== undefined) return then(session);
  return reject("session-unknown", `There is no session "${id}".`, "`ao list --all` lists them.");
}

/** Decides on a registered project, or rejects if there is none with this id. */
export function requireProject(world: World, id: string, then: (project: ProjectState) => Decision): Decision {
  const project = world.project(id);
  if (project !== undefined && !project.removed) return then(project);
  const hint = "`ao projects` lists them; `ao add-project PATH` adds one.";
  return reject("project-unknown", `There is no project "${id}".`, hint);
}

/** Decides on an open pull request, or rejects if there is none with this key or it is over. */
export function requireOpenChange(world: World, key: string, then: (change: ChangeState) => Decision): Decision {
  const change = world.change(key);
  if (change === undefined) return reject("not-found", `There is no pull request ${key}.`, "`ao pr list` lists them.");
  if (change.phase === "open") return then(change);
  const hint = change.phase === "merged" ? "Its commits are part of the base." : "Open a new one with `ao pr open`.";
  return reject("conflict", `Pull request #${change.number} is ${change.phase}.`, hint);
}

/** What a session is about to take: a task and a branch. */
export interface Claim {
  readonly projectId: string;
  readonly taskKey: string;
  /** The task's name for people: its issue or title. */
  readonly task: string;
  readonly branch: string;
  /** The session that had both before; absent: a new session. */
  readonly by?: string;
}

/** Decides if task and branch are free, or rejects with the session that has one of them. */
export function requireFree(world: World, wanted: Claim, then: () => Decision): Decision {
  const holder = world.task(wanted.taskKey)?.claimedBy ?? null;
  if (holder !== null && holder !== wanted.by) {
    const hint = `See it with \`ao status ${holder}\`, or free the task with \`ao stop ${holder}\`.`;
    return reject("task-taken", `Issue ${wanted.task} is already assigned to ${holder}.`, hint, { sessionId: holder });
  }
  const other = findOnBranch(world, wanted);
  if (other === undefined) return then();
  const hint = `Stop it first: \`ao stop ${other.id}\`${wanted.by === undefined ? ", or choose another branch with --branch" : ""}.`;
  return reject("branch-taken", `Branch ${wanted.branch} belongs to session ${other.id}.`, hint, {
    sessionId: other.id,
  });
}

function findOnBranch(world: World, { projectId, branch }: Claim): SessionState | undefined {
  for (const session of world.activeSessions(projectId)) {
    if (session.branch === branch && session.phase !== "stopped") return session;
  }
  return undefined;
}
