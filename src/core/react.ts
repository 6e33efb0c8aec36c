import { openingWanted } from "./change/open.ts";
import { reactChange } from "./change/react.ts";
import { sessionCommands } from "./command/react-commands.ts";
import { reactFleet } from "./fleet/react.ts";
import type { Wanted } from "./intent.ts";
import { reactProject } from "./project/react.ts";
import { reactSession } from "./session/react.ts";
import { wakeForProblems } from "./session/settle.ts";
import type { SessionState } from "./session/state.ts";
import { archiveTime } from "./settle-archive.ts";
import { type StreamId, splitStream } from "./stream.ts";
import { isPaused, type World } from "./world.ts";

const NOTHING: Wanted = { intents: [], wakeAt: null };

/** What a stream wants done now, and when to check it again. */
export function reactStream(world: World, stream: StreamId, now: number): Wanted {
  const { kind, id } = splitStream(stream);
  switch (kind) {
    case "session": {
      const session = world.session(id);
      return session === undefined || session.archivedAt !== undefined ? NOTHING : sessionWants(world, session, now);
    }
    case "change": {
      const change = world.change(id);
      return change === undefined || change.archivedAt !== undefined ? NOTHING : reactChange(world, change, now);
    }
    case "fleet":
      return reactFleet(world.fleet(), now);
    case "project": {
      const project = world.project(id);
      return project === undefined ? NOTHING : reactProject(world, project);
    }
    case "task":
      return NOTHING;
  }
}

function sessionWants(world: World, session: SessionState, now: number): Wanted {
  const { hibernateAfterMs: afterMs = null, trust } = world.project(session.projectId)?.policy ?? {};
  const hibernation = { afterMs, watchedSince: world.fleet().watchedSince };
  const wanted = reactSession(session, { paused: isPaused(world, session.projectId), hibernation, trust }, now);
  const opening = openingWanted(world, session, now);
  const problems = wakeForProblems(world, session, now);
  const times = [wanted.wakeAt, opening.wakeAt, problems, archiveTime(world, session)];
  const due = times.filter((time) => time !== null);
  const commands = isPaused(world, session.projectId) ? [] : sessionCommands(session);
  return {
    intents: [...wanted.intents, ...opening.intents, ...commands],
    wakeAt: due.length === 0 ? null : Math.min(...due),
  };
}
