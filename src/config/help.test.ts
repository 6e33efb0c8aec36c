import { expect, test } from "vitest";
import { describeConfig, listKeys } from "./help.ts";

test("every key has a description and is listed once", () => {
  const keys = listKeys();
  expect(keys.filter(({ description }) => description === "").map(({ path }) => path)).toEqual([]);
  expect(new Set(keys.map(({ path }) => path)).size).toBe(keys.length);
});

test.each([
  ["port  (number; default 3000)"],
  ["limits.parallelAgents  (number; default 5)"],
  ["projects.<id>.path  (text)"],
  ["projects.<id>.checks.<name>.timeout  (text; default 10m)"],
  ["projects.<id>.gitIdentity  (agent | user or map; default user)"],
  ["reactions.<name>.retries  (number; default 2)"],
  ["agents[].filters.excludeLabels  (list; not implemented yet)"],
  ["orchestrator.maxParallelAgents  (number; default 5)"],
])("the help has %s", (line) => {
  expect(describeConfig({ all: true }).split("\n")).toContain(line);
});

test("alternative spellings of a key are not listed", () => {
  expect(describeConfig({ all: true })).not.toContain("max_parallel_agents");
  expect(describeConfig({ all: true })).not.toContain("bugbot-comments");
});

test("keys that are not implemented are hidden unless requested", () => {
  const shown = describeConfig({ all: false });
  expect(shown).not.toContain("power.preventIdleSleep");
  expect(shown).not.toContain("not implemented yet)");
  expect(shown).toContain("reactions.<name>.retries");
  expect(shown).toMatch(/\n\d+ keys are not implemented yet: ao config-help --all\n$/);
});
