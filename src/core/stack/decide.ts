import type { ChangeState } from "../change/state.ts";
import { onChange, onSession } from "../event.ts";
import { accept, type CommandOf, type Decision, reject } from "../input.ts";
import { limitNetwork } from "../network-limit.ts";
import type { ProjectState } from "../project/state.ts";
import { refuseUntrusted } from "../reaction/refuse-untrusted.ts";
import type { World } from "../world.ts";
import { findParent, lastEnded } from "./find-parent.ts";
import type { StackedOn } from "./parent.ts";
import { leaveParent } from "./settle.ts";

/** Decides with the work that a new session builds on (null: none), or rejects what nobody can build on. */
export function requireParent(
  world: World,
  { project, command }: { readonly project: ProjectState; readonly command: CommandOf<"session.create"> },
  then: (on: StackedOn | null) => Decision,
): Decision {
  const { on: sessionId, pullRequest } = command;
  if (sessionId === undefined) return then(null);
  const session = world.session(sessionId);
  if (session === undefined) {
    return reject("session-unknown", `There is no session "${sessionId}".`, "`ao list` lists them.");
  }
  if (session.projectId !== project.id) {
    const hint = "A session can only build on a session of the same project.";
    return reject("usage", `Session ${session.id} belongs to project ${session.projectId}.`, hint);
  }
  if (pullRequest !== undefined) {
    return reject("usage", "A claimed pull request keeps its own base.", "Leave out --on.");
  }
  const { branch } = session;
  const after = lastEnded(world, project.id, branch);
  const on: StackedOn = { sessionId: session.id, branch, ...(after === 0 ? {} : { after }) };
  const isOpen = findParent(world, project.id, on).kind === "open";
  if (session.phase === "stopped" && !isOpen) {
    const hint = `Leave out --on to start from ${project.defaultBranch}, or bring it back: \`ao restore ${session.id}\`.`;
    return reject("conflict", `Session ${session.id} is stopped and has no open pull request.`, hint);
  }
  if (session.workspace.baseCommit === null) {
    const hint = `Try again once it has started; \`ao status ${session.id}\` shows it.`;
    return reject("conflict", `Session ${session.id} has no branch yet to build on.`, hint);
  }
  const limit = limitNetwork(command.agent, project.policy?.trust);
  if (session.readUntrusted !== undefined && limit.kind === "impossible") {
    return refuseUntrusted(`a session on ${session.id}, which got untrusted text`, limit);
  }
  return then(on);
}

/** A person moves a stacked pull request to the default branch; one that is there already stays as it is. */
export function decideRetarget(
  world: World,
  change: ChangeState,
  { base, by }: CommandOf<"change.retarget">,
): Decision {
  const defaultBranch = world.project(change.projectId)?.defaultBranch ?? change.base;
  if (base !== defaultBranch) {
    const hint = `Try \`ao pr base "#${change.number}" ${defaultBranch}\`.`;
    return reject("usage", `Pull requests of this project go into ${defaultBranch}, not into ${base}.`, hint);
  }
  if (change.stackedOn === undefined) return accept([], { key: change.key });
  if (change.forge !== undefined) {
    const hint = `Change the base of #${change.number} to ${base} on the forge; ao follows.`;
    return reject("unsupported", `The forge controls the base of #${change.number}.`, hint);
  }
  const session = change.sessionId === null ? undefined : world.session(change.sessionId);
  const left = session?.stackedOn === undefined ? [] : onSession(session.id, leaveParent(session, null));
  return accept([...onChange(change.key, { type: "change.retargeted", base, by }), ...left], { key: change.key });
}
