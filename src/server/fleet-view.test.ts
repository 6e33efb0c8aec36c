import { expect, it } from "vitest";
import { aProject, aWorld } from "../testing/builders.ts";
import { toFleetView } from "./fleet-view.ts";

const options = { project: null, position: 7, now: 0 };

it("lists the projects that are paused individually", () => {
  const projects = [aProject({ id: "a", paused: true }), aProject({ id: "b" })];
  expect(toFleetView(aWorld({ projects }), options)).toMatchObject({
    paused: false,
    pausedProjects: ["a"],
    position: 7,
  });
});

it("is paused for the requested project", () => {
  const projects = [aProject({ id: "a", paused: true }), aProject({ id: "b" })];
  const world = aWorld({ projects });
  expect(toFleetView(world, { ...options, project: "a" })).toMatchObject({ paused: true, pausedProjects: [] });
  expect(toFleetView(world, { ...options, project: "b" })).toMatchObject({ paused: false, pausedProjects: [] });
});
