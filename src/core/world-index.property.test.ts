import { describe, expect } from "vitest";
import { expectSame, itHolds } from "../../test/support/random-story.ts";
import type { World } from "./world.ts";
import { indexed, viewWorld } from "./world-view.ts";

/** Everything in the lists of a world, in any order. */
function listsIn(world: World): Readonly<Record<string, readonly string[]>> {
  const ids = (sessions: Iterable<{ readonly id: string }>): readonly string[] => [...sessions].map(({ id }) => id);
  const keys = (changes: Iterable<{ readonly key: string }>): readonly string[] => [...changes].map(({ key }) => key);
  const lists: Record<string, readonly string[]> = {
    sessions: ids(world.sessions()),
    activeSessions: ids(world.activeSessions()),
    endedSessions: ids(world.endedSessions()),
    changes: keys(world.changes()),
    activeChanges: keys(world.activeChanges()),
    projects: ids(world.projects()),
  };
  for (const { id } of world.projects()) {
    lists[`activeSessions ${id}`] = ids(world.activeSessions(id));
    lists[`activeChanges ${id}`] = keys(world.activeChanges(id));
    lists[`changesIn ${id}`] = keys(world.changesIn(id));
  }
  for (const { id, projectId, branch } of world.sessions()) {
    lists[`changesOf ${id}`] = keys(world.changesOf(id));
    lists[`changesOn ${branch}`] = keys(world.changesOn(projectId, branch));
  }
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, [...list].sort()]));
}

describe("in any story", () => {
  itHolds({
    "the maintained lists equal freshly built ones":
      () =>
      ({ world }) => {
        const sources = {
          archive: world.view.archive,
          checkProgress: () => null,
          liveReport: () => null,
          dependents: () => [],
          rateWindows: () => [],
        };
        const anew = viewWorld({ base: indexed(world.all()), ...sources });
        expectSame(listsIn(world.view), listsIn(anew));
      },

    "a session or change outside the active ones has nothing left to do":
      () =>
      ({ world }) => {
        const active = new Set([...world.view.activeSessions()].map(({ id }) => id));
        for (const session of world.view.sessions()) if (!active.has(session.id)) expect(session.phase).toBe("stopped");
        for (const change of world.view.changes()) {
          const isListed = [...world.view.activeChanges(change.projectId)].includes(change);
          if (change.phase === "open") expect(isListed).toBe(true);
        }
      },
  });
});
