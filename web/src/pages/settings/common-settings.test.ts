import { expect, it } from "vitest";
import type { ConfigPreviewView, ConfigView } from "../../../../src/protocol/views/config.ts";
import { findValue } from "./common-settings.ts";

const key = "projects.tern.policies.approvals";
const file: ConfigView = {
  ...{ file: "f", text: "", version: "1", problems: [], notes: [] },
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
