import { join } from "node:path";
import { factsOf, type ProjectFacts, type ProjectState } from "../core/project/state.ts";
import type { SessionEvent } from "../core/session/events.ts";
import type { SessionState } from "../core/session/state.ts";
import { splitStream } from "../core/stream.ts";
import type { Engine } from "../engine/engine.ts";
import type { Host } from "../ports/host.ts";
import type { HomePaths } from "../protocol/home.ts";

/** What is stored next to a session's runs, so that it can be found without the store. */
export interface SessionCard {
  readonly version: 1;
  readonly session: Extract<SessionEvent, { readonly type: "session.requested" }>;
  readonly project: ProjectFacts;
  readonly createdAt: number;
}

export const CARD_FILE = "session.json";

/** Writes a card for every session without one, now and whenever one is requested, and again after each move. */
export function keepSessionCards(host: Host, paths: HomePaths, engine: Engine): () => void {
  const world = engine.loop.world.view;
  const write = async (session: SessionState, over: boolean): Promise<void> => {
    const project = world.project(session.projectId);
    const folder = join(paths.sessions, session.id);
    const file = join(folder, CARD_FILE);
    if (project === undefined || (!over && (await host.fs.stat(file)) !== null)) return;
    await host.fs.makeDir(folder, { mode: 0o700 });
    await host.fs.writeText(file, `${JSON.stringify(toCard(session, project), null, 2)}\n`, { mode: 0o600 });
  };
  const keep = (session: SessionState | undefined, over = false): void => {
    if (session === undefined) return;
    write(session, over).catch((error: unknown) =>
      host.log.warn("the card of a session could not be written", { session: session.id, reason: String(error) }),
    );
  };
  for (const session of world.sessions()) keep(session);
  return engine.subscribe((events) => {
    for (const { stream, event } of events) {
      if (event.type === "session.requested") keep(world.session(event.id));
      if (event.type === "session.moved") keep(world.session(splitStream(stream).id), true);
    }
  });
}

function toCard(session: SessionState, project: ProjectState): SessionCard {
  return {
    version: 1,
    session: {
      type: "session.requested",
      id: session.id,
      projectId: session.projectId,
      taskKey: session.taskKey,
      issue: session.issue,
      title: session.title,
      role: session.role,
      agent: session.agent,
      runtime: session.runtime,
      workspace: session.workspacePlugin,
      input: session.input,
      branch: session.branch,
      base: session.base,
      folder: session.folder,
      ...(session.shell === undefined ? {} : { shell: session.shell }),
    },
    project: factsOf(project),
    createdAt: session.createdAt,
  };
}
