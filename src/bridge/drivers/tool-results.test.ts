import { describe, expect, it } from "vitest";
import { mergeTool, toToolResult as ofAcp } from "./acp/tools.ts";
import { toToolResult as ofCodex, toToolUse as useOfCodex } from "./codex/items.ts";
import { toToolResult as ofOpenCode } from "./opencode/tools.ts";

const CODEX = { type: "commandExecution", id: "1", content: [], changes: [], status: "completed" };
const ACP = { toolCallId: "1", title: "Run", status: "completed" };
const OPENCODE = { id: "1", type: "tool", text: "" };

describe("a tool result", () => {
  it.each([
    ["its output", { ...CODEX, aggregatedOutput: "a.txt\n", exitCode: 0 }, { ok: true, text: "a.txt" }],
    ["its exit code", { ...CODEX, aggregatedOutput: "no", exitCode: 2 }, { ok: false, text: "no\nexit code 2" }],
    ["a refusal", { ...CODEX, status: "declined" }, { ok: false, text: "declined" }],
    ["an error", { ...CODEX, status: "failed", error: { message: "gone" } }, { ok: false, text: "gone" }],
  ])("of Codex is reported with %s", (_, item, result) => {
    expect(ofCodex(item)).toEqual(result);
  });

  it("of Codex is shown with its diff", () => {
    const changes = [{ path: "a.ts", diff: "@@\n-a\n+b" }];
    expect(useOfCodex({ ...CODEX, type: "fileChange", changes })).toMatchObject({ title: "a.ts", input: "@@\n-a\n+b" });
  });

  it.each([
    ["texts", { ...ACP, content: [{ type: "content", content: { type: "text", text: "a.txt" } }] }, "a.txt"],
    ["a diff", { ...ACP, content: [{ type: "diff", path: "a.ts", oldText: "a", newText: "b" }] }, "a.ts\n- a\n+ b"],
    ["its raw output", { ...ACP, rawOutput: { output: "raw" } }, "raw"],
    ["nothing", ACP, ""],
  ])("of an Agent Client Protocol agent is reported with %s", (_, call, text) => {
    expect(ofAcp(mergeTool(undefined, call, false), call)).toEqual({ ok: true, text });
  });

  it("of OpenCode is reported when the tool is over", () => {
    const state = { status: "running", input: {} };
    expect(ofOpenCode({ ...OPENCODE, state })).toBeNull();
    expect(ofOpenCode({ ...OPENCODE, state: { ...state, status: "completed", output: "a" } })).toEqual({
      ok: true,
      text: "a",
    });
    expect(ofOpenCode({ ...OPENCODE, state: { ...state, status: "error", error: "no" } })).toEqual({
      ok: false,
      text: "no",
    });
  });
});
