import { describe, expect } from "vitest";
import { expectSame, itHolds } from "../../test/support/random-story.ts";
import { aCreate } from "../testing/builders.ts";
import { createMemoryArchive } from "../testing/memory-archive.ts";
import { decide } from "./decide.ts";
import type { Emitted } from "./event.ts";
import type { StreamState } from "./evolve.ts";
import type { Input } from "./input.ts";
import { reactStream } from "./react.ts";
import { settle } from "./settle.ts";
import { changeStream, type StreamId, sessionStream } from "./stream.ts";
import type { World } from "./world.ts";
import { indexed, viewWorld } from "./world-view.ts";

/** The same states as if nothing had ever been archived. */
function allLive(states: ReadonlyMap<StreamId, StreamState>): World {
  const live = [...states].map(([stream, state]) => {
    const { archivedAt: _, ...rest } = state as { readonly archivedAt?: number };
    return [stream, rest as StreamState] as const;
  });
  const archive = createMemoryArchive(new Map());
  return viewWorld({
    base: indexed(new Map(live)),
    archive,
    checkProgress: () => null,
    liveReport: () => null,
    dependents: () => [],
    rateWindows: () => [],
  });
}

const withoutArchiving = (events: readonly Emitted[]): readonly Emitted[] =>
  events.filter(({ event }) => !event.type.endsWith("archived"));

const INPUTS: readonly Input[] = [
  aCreate({ issue: "1" }),
  aCreate({ issue: null }),
  aCreate({ issue: "2", branch: "demo/fix-it" }),
  { type: "base.moved", projectId: "demo", head: "elsewhere" },
  { type: "project.remove", id: "other" },
];

describe("in any story", () => {
  let archived = 0;
  itHolds(
    {
      "a world with an archive decides like one in which everything stayed live":
        () =>
        ({ world, now }) => {
          archived = Math.max(
            archived,
            [...world.archived.keys()].filter((stream) => !stream.startsWith("task:")).length,
          );
          const whole = allLive(world.everything());
          expectSame(withoutArchiving(settle(world.view, now)), withoutArchiving(settle(whole, now)));
          for (const input of INPUTS) {
            expectSame(
              decide(world.view, input, () => undefined, now),
              decide(whole, input, () => undefined, now),
            );
          }
          for (const { id } of world.view.sessions()) {
            const stream = sessionStream(id);
            expectSame(reactStream(world.view, stream, now).intents, reactStream(whole, stream, now).intents);
          }
          for (const { key } of world.view.changes()) {
            const stream = changeStream(key);
            expectSame(reactStream(world.view, stream, now).intents, reactStream(whole, stream, now).intents);
          }
        },

      "a session and its changes are in the archive together, stopped and done":
        () =>
        ({ world }) => {
          for (const session of world.view.archive.sessions({})) {
            expect(session.phase).toBe("stopped");
            expect(session.workspace.state).not.toBe("kept");
            for (const change of world.view.changes()) expect(change.sessionId).not.toBe(session.id);
          }
          for (const change of world.view.archive.changes({})) {
            expect(change.phase).not.toBe("open");
            expect(world.view.session(change.sessionId ?? "")?.archivedAt).toBeDefined();
          }
        },
    },
    {
      afterwards: {
        "(the stories archive something, so that the facts above are meaningful)": () => {
          expect(archived).toBeGreaterThan(0);
        },
      },
    },
  );
});
