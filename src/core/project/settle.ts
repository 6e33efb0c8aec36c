import type { Emitted } from "../event.ts";
import { judgeCondition } from "../reaction/condition.ts";
import { projectStream } from "../stream.ts";
import type { World } from "../world.ts";
import type { ProjectState } from "./state.ts";

/**
 * A project whose sessions are all over, with something merged since the last time, is complete; people may be
 * notified.
 */
export function settleCompletion(world: World): readonly Emitted[] {
  return [...world.projects()].flatMap((project) => {
    if (isBusy(world, project.id)) return [];
    let merged = 0;
    for (const change of world.changesIn(project.id))
      if ((change.merged?.at ?? 0) > (project.completedAt ?? 0)) merged += 1;
    merged += world.archive.countMerged(project.id, project.completedAt ?? 0);
    return merged === 0 ? [] : complete(project, merged);
  });
}

function isBusy(world: World, projectId: string): boolean {
  for (const session of world.activeSessions(projectId)) if (session.phase !== "stopped") return true;
  for (const change of world.activeChanges(projectId)) if (change.phase === "open") return true;
  return false;
}

function complete(project: ProjectState, merged: number): readonly Emitted[] {
  const rule = project.policy?.reactions["all-complete"];
  const done: Emitted = { stream: projectStream(project.id), event: { type: "project.completed", merged } };
  if (rule === undefined || !rule.auto || rule.action !== "notify") return [done];
  const what = `${merged} pull request${merged === 1 ? "" : "s"} merged`;
  const event = { key: "all-complete", text: what, subject: project.id, messages: 0 };
  const { isMet, undecided } = judgeCondition(rule.condition, { event });
  if (!isMet && undecided === null) return [done];
  return [
    done,
    {
      stream: "fleet",
      event: {
        type: "notice.raised",
        id: `project:${project.id}/all-complete/${project.completedAt}`,
        priority: rule.priority ?? "info",
        key: "all-complete",
        title: `${project.name}: all done`,
        text: rule.message ?? `${what}, no session is left.`,
        projectId: project.id,
        sessionId: null,
        act: null,
      },
    },
  ];
}
