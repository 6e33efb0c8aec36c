import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempDir } from "../../../testing/temp.ts";
import { withDefaults } from "./defaults.ts";

const content = { ui: { suggestions: false } };

it("passes a file with the default settings of the agent", () => {
  const folder = tempDir();
  const env = withDefaults({ env: { HOME: "/h" }, folder }, { defaults: { variable: "DEFAULTS", own: [], content } });
  expect(env["HOME"]).toBe("/h");
  expect(JSON.parse(readFileSync(String(env["DEFAULTS"]), "utf8"))).toEqual(content);
});

it("passes none if the user or the machine has one, or the agent needs none", () => {
  const folder = tempDir();
  const own = join(folder, "own.json");
  writeFileSync(own, "{}");
  const defaults = { variable: "DEFAULTS", own: [], content };
  const named = { DEFAULTS: "/mine" };
  expect(withDefaults({ env: named, folder }, { defaults })).toEqual(named);
  expect(withDefaults({ env: {}, folder }, { defaults: { ...defaults, own: [own] } })).toEqual({});
  expect(withDefaults({ env: {}, folder }, {})).toEqual({});
});
