import type { Emitted } from "../event.ts";
import { projectStream } from "../stream.ts";
import type { World } from "../world.ts";
import type { ProjectState } from "./state.ts";

/** A project whose sessions are all over, with something merged since the last time, is complete; people may want to know. */
export function settleCompletion(world: World): readonly Emitted[] {
  const merged = new Map<string, number>();
  const busy = new Set<string>();
  for (const change of world.changes()) {
    const { projectId } = change;
    if (change.phase === "open") busy.add(projectId);
    const isNew = (change.merged?.at ?? 0) > (world.project(projectId)?.completedAt ?? 0);
    if (isNew) merged.set(projectId, (merged.get(projectId) ?? 0) + 1);
  }
  if (merged.size === 0) return [];
  for (const session of world.sessions()) if (session.phase !== "stopped") busy.add(session.projectId);
  return [...merged].flatMap(([projectId, count]) => {
    const project = world.project(projectId);
    return project === undefined || busy.has(projectId) ? [] : complete(project, count);
  });
}

function complete(project: ProjectState, merged: number): readonly Emitted[] {
  const rule = project.policy?.reactions["all-complete"];
  const done: Emitted = { stream: projectStream(project.id), event: { type: "project.completed", merged } };
  if (rule === undefined || !rule.auto || rule.action !== "notify" || rule.condition !== null) return [done];
  const what = `${merged} pull request${merged === 1 ? "" : "s"} merged`;
  return [
    done,
    {
      stream: "fleet",
      event: {
        type: "notice.raised",
        id: `project:${project.id}/all-complete/${project.completedAt}`,
        priority: rule.priority ?? "info",
        key: "all-complete",
        title: `${project.name}: all is done`,
        text: rule.message ?? `${what}, no session is left.`,
        projectId: project.id,
        sessionId: null,
        act: null,
      },
    },
  ];
}
