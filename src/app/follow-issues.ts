import { listDependents } from "../core/task/dependents.ts";
import type { StoredEvent } from "../ports/store.ts";
import { trackerOf } from "./actions/issue.ts";
import type { Kernel } from "./kernel.ts";

/** Reads which open issues of a project depend on which, for people; an unreadable tracker changes nothing. */
export async function readDependents(kernel: Kernel, projectId: string): Promise<void> {
  try {
    const { issues } = await (await trackerOf(kernel, projectId)).list({ state: "open" });
    kernel.engine.loop.world.noteDependents(projectId, listDependents(issues));
  } catch (error) {
    kernel.host.log.warn("the issues could not be read", { projectId, reason: String(error) });
  }
}

/** Keeps blocked issues up to date: reads them at the start, and when a session starts or an issue is closed. */
export function followIssues(kernel: Kernel): () => void {
  const { engine } = kernel;
  const world = engine.loop.world.view;
  const reading = new Map<string, Promise<void>>();
  const request = (projectId: string): void => {
    const before = reading.get(projectId) ?? Promise.resolve();
    const next = before.then(() => readDependents(kernel, projectId));
    reading.set(projectId, next);
  };
  const projects = new Set<string>();
  for (const { issue, projectId } of world.activeSessions()) if (issue !== null) projects.add(projectId);
  for (const projectId of projects) request(projectId);
  return engine.subscribe((events) => {
    for (const projectId of new Set(events.flatMap(projectOf))) request(projectId);
  });
}

function projectOf({ stream, event }: StoredEvent): readonly string[] {
  if (event.type === "session.requested") return event.issue === null ? [] : [event.projectId];
  return event.type === "issue.settled" ? [stream.slice("change:".length, stream.lastIndexOf("/"))] : [];
}
