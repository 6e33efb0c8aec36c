import { expect, test } from "vitest";
import type { SettingChangeView } from "../../../../src/protocol/views/config.ts";
import { describeSaving, describeWhen, shortKey } from "./describe-changes.ts";

const aChange = (rest: Partial<SettingChangeView>): SettingChangeView => ({
  key: "limits.parallelAgents",
  before: "2",
  after: "3",
  applies: "now",
  sessions: 0,
  ...rest,
});

test.each<[Partial<SettingChangeView>, string]>([
  [{}, "immediately"],
  [{ sessions: 1 }, "immediately, 1 open session"],
  [{ applies: "next-start", sessions: 2 }, "the next time an agent starts, 2 open sessions"],
  [{ applies: "new-sessions" }, "new sessions"],
  [{ applies: "daemon-restart" }, "after `ao stop` and `ao start`"],
  [{ applies: "registration" }, "after `ao start` in the project"],
])("a change %j applies: %s", (change, words) => {
  expect(describeWhen(aChange(change))).toBe(words);
});

test("saving says that it applies immediately only if everything does", () => {
  expect(describeSaving([aChange({})])).toBe("applies immediately, agents keep running");
  expect(describeSaving([aChange({}), aChange({ applies: "new-sessions" })])).toBe("agents keep running");
  expect(describeSaving([])).toBe("no setting changes");
});

test.each([
  ["projects.web.agent", "web", "agent"],
  ["projects.website.agent", "web", "projects.website.agent"],
  ["projects.web.agent", null, "projects.web.agent"],
  ["limits.load", "web", "limits.load"],
])("the key %s in the settings of %s is shown as %s", (key, project, shown) => {
  expect(shortKey(key, project)).toBe(shown);
});
