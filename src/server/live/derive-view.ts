import type { Actions } from "../actions.ts";
import { toFleetView } from "../fleet-view.ts";
import { listInbox } from "../inbox.ts";
import { toProjectView } from "../project-view.ts";
import { toPullRequestView } from "../pull-request-views.ts";
import { showInbox } from "../question-view.ts";
import { toSessionView } from "../views.ts";
import type { ViewKey } from "./touched-views.ts";

/** What a client gets of a view. */
export interface DerivedView {
  readonly event: string;
  readonly data: unknown;
  /** It is no longer in the API's lists. */
  readonly isRemoved: boolean;
}

export type ViewSources = Pick<Actions, "engine" | "projectNotes" | "projectProblem"> & {
  readonly pullRequests: Pick<Actions["pullRequests"], "textOf">;
};

/** The current view. Reads the world before it returns; only the texts of questions are awaited. */
export async function deriveView(key: ViewKey, sources: ViewSources): Promise<DerivedView> {
  const { world, lastPosition, warnings } = sources.engine;
  if (key === "fleet") {
    const facts = { project: null, position: lastPosition(), warnings: warnings() };
    return { event: "fleet", data: toFleetView(world, facts), isRemoved: false };
  }
  if (key === "inbox") {
    const entries = listInbox(world, sources.projectProblem);
    return {
      event: "inbox",
      data: { data: await showInbox(entries, sources.pullRequests.textOf) },
      isRemoved: false,
    };
  }
  const colon = key.indexOf(":");
  return deriveOne(key.slice(0, colon), key.slice(colon + 1), sources);
}

function deriveOne(event: string, id: string, { engine: { world }, projectNotes }: ViewSources): DerivedView {
  const show = (view: object | null, isRemoved: boolean): DerivedView => ({
    event,
    data: isRemoved ? { id, ...view, removed: true } : view,
    isRemoved,
  });
  if (event === "session") {
    const session = world.session(id);
    return session === undefined ? show(null, true) : show(toSessionView(session, world), session.phase === "stopped");
  }
  if (event === "pull-request") {
    const change = world.change(id);
    return change === undefined ? show(null, true) : show(toPullRequestView(change, world), change.phase !== "open");
  }
  const project = world.project(id);
  return project === undefined || project.removed
    ? show(null, true)
    : show(toProjectView(project, world, projectNotes(id)), false);
}
