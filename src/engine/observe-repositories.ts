import type { SeenRepository } from "../core/project/repository.ts";
import type { ProjectState } from "../core/project/state.ts";
import type { SessionState } from "../core/session/state.ts";
import { splitStream } from "../core/stream.ts";
import type { StoredEvent } from "../ports/store.ts";
import type { Activity } from "./activity.ts";
import { createCoalescer } from "./coalesce.ts";
import type { EffectDeps } from "./executor.ts";
import type { Loop } from "./loop.ts";
import { repeat } from "./repeat.ts";

const POLL_MS = 15_000;

/** A merge has moved the base; an agent comes, or goes and may have done something last. */
const WORTH_A_LOOK = new Set<string>(["project.base-moved", "session.requested", "run.ended"]);

export interface RepositoryObserver {
  /** Looks at the repositories that these events are about. */
  follow(events: readonly StoredEvent[]): void;
  close(): void;
}

/** Notices a repository that is gone, and what happens to its default branch without `ao` while agents run. */
export function createRepositoryObserver(loop: Loop, deps: EffectDeps, activity: Activity): RepositoryObserver {
  const world = loop.world.view;
  // Projects whose agents may have done something since the last look.
  const armed = new Set<string>();

  const inspect = async (projectId: string): Promise<void> => {
    const project = world.project(projectId);
    if (project === undefined || project.removed) return;
    const sessions = [...world.activeSessions(projectId)].filter(({ phase }) => phase !== "stopped");
    if (sessions.some(hasRun)) armed.add(projectId);
    const isArmed = armed.has(projectId);
    // What a person does to the branch before an agent has run is nobody's concern.
    const since = isArmed ? ownBaseOf(project) : null;
    const seen = await deps.scmOf(projectId).inspectRepository?.(deps.scmProjectOf(projectId), since);
    // A merge that is under way has moved the branch, and its outcome is not recorded yet: that asks for another look.
    if (seen === undefined || isMerging(loop, projectId)) return;
    if (sessions.length === 0) armed.delete(projectId);
    const isWatched = isArmed || sessions.length > 0;
    if (isNews(project, seen, isWatched)) await loop.submit({ input: { type: "repository.seen", projectId, seen } });
  };

  const inspections = createCoalescer(inspect, activity);
  const request = (projectId: string): Promise<void> =>
    inspections
      .request(projectId)
      .catch((error: unknown) =>
        deps.host.log.warn("a repository could not be inspected", { project: projectId, reason: String(error) }),
      );

  const inspectAll = async (): Promise<void> => {
    for (const { id, removed } of [...world.projects()]) if (!removed) await request(id);
  };

  const stop = repeat({ clock: deps.host.clock, activity, pauseMs: POLL_MS, work: inspectAll });
  return {
    follow: (events) => {
      const about = events.filter(({ event }) => WORTH_A_LOOK.has(event.type));
      for (const id of new Set(about.flatMap(({ stream }) => projectOf(deps, stream)))) void request(id);
    },
    close: () => {
      inspections.close();
      stop();
    },
  };
}

function hasRun({ run }: SessionState): boolean {
  return run.n > 0;
}

function isNews(project: ProjectState, seen: SeenRepository, isWatched: boolean): boolean {
  const isMissing = project.missing != null;
  if (seen.kind === "missing") return !isMissing;
  return isMissing || (isWatched && seen.base.head !== ownBaseOf(project));
}

function ownBaseOf({ ownBase = null }: ProjectState): string | null {
  return ownBase;
}

function isMerging({ openIntents, world }: Loop, projectId: string): boolean {
  return [...openIntents.values()].some(({ spec, status }) => {
    if (status !== "started") return false;
    if (spec.kind === "revert-merge") return spec.projectId === projectId;
    return spec.kind === "merge-change" && world.view.change(spec.changeKey)?.projectId === projectId;
  });
}

function projectOf(deps: EffectDeps, stream: StoredEvent["stream"]): readonly string[] {
  const { kind, id } = splitStream(stream);
  if (kind === "project") return [id];
  const session = kind === "session" ? deps.session(id) : undefined;
  return session === undefined ? [] : [session.projectId];
}
