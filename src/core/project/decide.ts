import { type Emitted, onProject, onSession } from "../event.ts";
import { accept, type CommandOf, type Decision, type ProjectCommand, reject } from "../input.ts";
import type { ProjectPolicy } from "../policy.ts";
import { requireProject } from "../require.ts";
import { isSame } from "../same.ts";
import type { World } from "../world.ts";
import type { ProjectFacts, ProjectState } from "./state.ts";

/** Commands of people and the configuration about a project. */
export function decideProjectCommand(world: World, command: ProjectCommand): Decision {
  switch (command.type) {
    case "project.register":
      return decideRegister(world, command);
    case "project.remove":
      return requireProject(world, command.id, (project) => decideRemove(world, project));
    case "project.policy":
      return decidePolicy(world, command.id, command.policy);
  }
}

/** Pauses or resumes one project. */
export function decideProjectPause(world: World, id: string, paused: boolean): Decision {
  return requireProject(world, id, (project) => {
    if (project.paused === paused) return accept([]);
    return accept(onProject(id, { type: paused ? "project.paused" : "project.resumed" }));
  });
}

/** The base branch was seen at a commit; a known one gives nothing. */
export function decideBaseMoved(world: World, projectId: string, head: string): readonly Emitted[] {
  const project = world.project(projectId);
  if (project === undefined || project.baseHead === head) return [];
  return onProject(projectId, { type: "project.base-moved", head });
}

function decideRegister(world: World, command: CommandOf<"project.register">): Decision {
  const known = world.project(command.id);
  const { type: _, movedFrom, isUpdate = false, ...facts } = command;
  // Its configuration was read while a person removed it.
  if (isUpdate && (known === undefined || known.removed)) return accept([]);
  if (known !== undefined && !known.removed && known.path !== command.path) {
    if (known.path === movedFrom) return accept(moveProject(world, known, facts));
    return reject(
      "project-exists",
      `Project "${command.id}" is already registered for ${known.path}.`,
      "Give one of them another id under `projects:` in its agent-orchestrator.yaml.",
    );
  }
  const unchanged =
    known !== undefined &&
    !known.removed &&
    Object.entries(facts).every(([key, value]) => known[key as keyof typeof known] === value);
  if (unchanged) return accept([]);
  return accept(onProject(command.id, { type: "project.registered", ...facts }));
}

/** Its sessions' folders inside of it moved with it. */
function moveProject(world: World, { id, path }: ProjectState, facts: ProjectFacts): readonly Emitted[] {
  const inside = [...world.sessions()].filter(
    ({ projectId, workspace }) => projectId === id && workspace.path?.startsWith(`${path}/`) === true,
  );
  const relocated = inside.flatMap(({ id: sessionId, workspace }) => {
    const at = facts.path + (workspace.path ?? "").slice(path.length);
    return onSession(sessionId, { type: "workspace.relocated", generation: workspace.generation, path: at });
  });
  return [...onProject(id, { type: "project.registered", ...facts }), ...relocated];
}

function decideRemove(world: World, { id }: ProjectState): Decision {
  const open = [...world.activeSessions(id)].filter((session) => session.phase !== "stopped");
  if (open.length > 0) {
    return reject(
      "conflict",
      `Project "${id}" still has ${open.length} open session${open.length === 1 ? "" : "s"}.`,
      `Stop them first: \`ao stop --project ${id} --all\`.`,
    );
  }
  return accept(onProject(id, { type: "project.removed" }));
}

function decidePolicy(world: World, id: string, policy: ProjectPolicy): Decision {
  const project = world.project(id);
  if (project === undefined || project.removed || isSame(project.policy, policy)) return accept([]);
  return accept(onProject(id, { type: "project.policy-set", policy }));
}
