import { expect, it } from "vitest";
import type { CollisionView } from "../../../../src/protocol/views/radar.ts";
import { describeRadar, nameSides, radarRows } from "./radar.ts";

function aCollision(session: string, other: string | null, files = ["a.ts"]): CollisionView {
  return { projectId: "tern", session, other, files, since: "2026-11-16T04:00:00Z" };
}

it("the radar is a triangle with the base on top and the colliding sessions next", () => {
  const rows = radarRows([aCollision("c", "b"), aCollision("c", null)], ["a", "b", "c"]);
  expect(rows.map(({ session }) => session)).toEqual([null, "b", "c", "a"]);
  const marked = rows.map(({ cells }) => cells.map(({ collision }) => (collision === null ? "." : "x")).join(""));
  expect(marked).toEqual(["", ".", "xx", "..."]);
});

it("with very many sessions, those without collisions are omitted", () => {
  const sessions = Array.from({ length: 40 }, (_, n) => `s${n}`);
  const rows = radarRows([aCollision("s38", "s39")], sessions);
  expect(rows.length).toBe(17);
  expect(rows.slice(1, 3).map(({ session }) => session)).toEqual(["s38", "s39"]);
});

it("a collision is named by both sides", () => {
  expect(nameSides(aCollision("a", "b"), "main")).toBe("a and b");
  expect(nameSides(aCollision("a", null), "main")).toBe("a and main");
  expect([[], [aCollision("a", "b")]].map(describeRadar)).toEqual(["nothing collides", "1 pair collides"]);
});
