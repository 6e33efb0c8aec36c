import { describe, expect, it } from "vitest";
import { aProject, aWorld } from "../../testing/builders.ts";
import type { Collision } from "./collision.ts";
import { decideCollisions } from "./decide-collisions.ts";
import { evolveProject } from "./evolve.ts";
import type { ProjectState } from "./state.ts";

const PAIR: Collision = { session: "a", other: "b", files: ["x.ts"] };
const WITH_BASE: Collision = { session: "a", other: null, files: ["y.ts"] };

/** The event types that a full list gives, and the project after them. */
function look(project: ProjectState, seen: readonly Collision[], at = 7): readonly [readonly string[], ProjectState] {
  const events = decideCollisions(aWorld({ projects: [project] }), project.id, seen).map(({ event }) => event);
  const after = events.reduce<ProjectState>(
    (state, event) => evolveProject(state, event as never, at) ?? state,
    project,
  );
  return [events.map(({ type }) => type), after];
}

describe("collisions of a project", () => {
  it("are recorded once, however often they are seen", () => {
    const [first, project] = look(aProject(), [PAIR, WITH_BASE]);
    expect(first).toEqual(["collision.found", "collision.found"]);
    expect(project.collisions).toEqual([
      { ...PAIR, since: 7 },
      { ...WITH_BASE, since: 7 },
    ]);
    expect(look(project, [WITH_BASE, PAIR])[0]).toEqual([]);
  });

  it("keep their age if their files change", () => {
    const [, project] = look(aProject(), [PAIR]);
    const [events, after] = look(project, [{ ...PAIR, files: ["z.ts"] }], 9);
    expect(events).toEqual(["collision.found"]);
    expect(after.collisions).toEqual([{ ...PAIR, files: ["z.ts"], since: 7 }]);
  });

  it("are gone when they are no longer seen", () => {
    const [, project] = look(aProject(), [PAIR, WITH_BASE]);
    const [events, after] = look(project, [WITH_BASE]);
    expect(events).toEqual(["collision.gone"]);
    expect(after.collisions).toEqual([{ ...WITH_BASE, since: 7 }]);
  });
});
