import { expect, it } from "vitest";
import type { CollisionView } from "../../protocol/views/radar.ts";
import { renderCollisions } from "./collision-table.ts";
import { style } from "./style.ts";

const plain = { style: style({ isTTY: false }) };

function aCollision(changes: Partial<CollisionView>): CollisionView {
  return {
    projectId: "app",
    session: "app-1",
    other: "app-2",
    files: ["a.ts"],
    since: "2026-01-01T00:00:00.000Z",
    ...changes,
  };
}

it("names both sessions, or the base, and the first files", () => {
  const many = ["a.ts", "b.ts", "c.ts", "d.ts", "e.ts"];
  expect(
    renderCollisions([aCollision({}), aCollision({ session: "app-12", other: null, files: many })], plain),
  ).toEqual([
    "SESSION  COLLIDES WITH    IN",
    "app-1    app-2            a.ts",
    "app-12   the base branch  a.ts, b.ts, c.ts and 2 more",
  ]);
});
