import { expect, it } from "vitest";
import type { ConfigPreviewView, ConfigView } from "../../../../src/protocol/views/config.ts";
import { editsFor, findValue, PROJECT_SETTINGS } from "./common-settings.ts";

const key = "projects.tern.policies.approvals";
const file: ConfigView = {
  ...{ file: "f", text: "", version: "1", problems: [], notes: [], held: null },
  settings: [{ key, value: "1" }],
};
const preview = (after: string | null): ConfigPreviewView => ({
  ...{ file: "f", version: "1", diff: "", problems: [], notes: [] },
  changes: [{ key, before: "1", after, applies: "now", sessions: 0 }],
});

it("a control shows the value in force, and the one that the text would apply", () => {
  expect(findValue(key, { file, preview: undefined })).toBe("1");
  expect(findValue(key, { file, preview: preview("2") })).toBe("2");
  expect(findValue(key, { file, preview: preview(null) })).toBe("");
  expect(findValue("reactions.none", { file, preview: preview("2") })).toBe("");
});

const ACTION = "reactions.approved-and-green.action";
const AUTO = { key: "reactions.approved-and-green.auto", value: "true" };

it.each([
  ["merge", "false", [AUTO, { key: ACTION, value: "merge" }]],
  ["merge", "true", [{ key: ACTION, value: "merge" }]],
  ["notify", "false", [{ key: ACTION, value: "notify" }]],
])("choosing %s while the rule's auto is %s edits what makes it happen", (value, auto, edits) => {
  const control = PROJECT_SETTINGS.flatMap(({ controls }) => controls).find((one) => one.key === ACTION);
  if (control === undefined) throw new Error("no such control");
  expect(editsFor(control, value, () => auto)).toEqual(edits);
});
