import { expect, test } from "vitest";
import { describeConfig, listKeys } from "./help.ts";

test("every key has a description and is told once", () => {
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
  ["reactions.<name>.retries  (number; default 2; not in effect yet)"],
  ["agents[].filters.excludeLabels  (list; not in effect yet)"],
  ["orchestrator.maxParallelAgents  (number; default 5)"],
])("the help has %s", (line) => {
  expect(describeConfig().split("\n")).toContain(line);
});

test("other spellings of a key are not told again", () => {
  expect(describeConfig()).not.toContain("max_parallel_agents");
  expect(describeConfig()).not.toContain("bugbot-comments");
});
