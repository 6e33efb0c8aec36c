import { describe, expect } from "vitest";
import { expectSame, itHolds, type Simulation } from "../../test/support/random-story.ts";
import { bytesOf } from "./answer-bytes.ts";
import { pullRequestsOf } from "./find-pull-request.ts";
import { toFleetView } from "./fleet-view.ts";
import { createSessionList } from "./session-list.ts";
import { deriveView, toSessionView } from "./views.ts";

describe("in any story", () => {
  itHolds(
    {
      "a session's view does not depend on earlier views of it":
        () =>
        ({ world: { view } }) => {
          for (const session of view.sessions()) {
            const fresh = deriveView(session, view, { changes: pullRequestsOf(view, session.id) });
            expectSame(toSessionView(session, view), fresh);
          }
        },

      "the list of sessions is sent as if it were rebuilt, after each commit and each report": (beginning) => {
        const list = createSessionList(engineOf(beginning), () => beginning.now);
        const expectCurrent = (simulation: Simulation): void => {
          expect(Buffer.from(bytesOf(list({})).plain()).toString("utf8")).toBe(listAnew(simulation));
        };
        return (simulation) => {
          expectCurrent(simulation);
          observe(simulation);
          expectCurrent(simulation);
        };
      },
    },
    { stories: 20 },
  );
});

function engineOf({ world, log }: Simulation) {
  return { world: world.view, lastPosition: () => log.length, revision: world.revision, warnings: () => [] };
}

function listAnew({ world: { view }, log, now }: Simulation): string {
  const open = [...view.activeSessions()].filter(({ phase }) => phase !== "stopped");
  const data = open
    .sort((a, b) => a.createdAt - b.createdAt)
    .map((session) => deriveView(session, view, { changes: pullRequestsOf(view, session.id) }));
  return JSON.stringify({ data, fleet: toFleetView(view, { project: null, position: log.length, now }) });
}

/** Something that is not an event, different at each step. */
function observe({ world, now, log }: Simulation): void {
  const note = `step ${log.length}`;
  for (const { id, run, projectId, issue } of world.view.activeSessions()) {
    world.noteReport(id, log.length % 5 === 0 ? null : { run: run.n, state: "working", note, at: now });
    if (issue !== null) world.noteDependents(projectId, new Map([[issue, [note]]]));
  }
  for (const { key, checks } of world.view.activeChanges()) {
    for (const { name, head, attempt } of Object.values(checks)) {
      world.noteCheckPhase({ changeKey: key, check: name, head, attempt }, log.length % 2 === 0 ? "run" : "set-up");
    }
  }
}
