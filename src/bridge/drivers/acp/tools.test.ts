import { describe, expect, it } from "vitest";
import { describeTool, type Tool } from "../../kit/tool.ts";
import { parsePermissionRequest, parseUpdate, type ToolCall } from "./messages.ts";
import { mergeTool } from "./tools.ts";

const text = (value: string): object => ({ type: "content", content: { type: "text", text: value } });

// Messages recorded from the real programs, in order; the last one is the question.
const RECORDED: readonly (readonly [string, boolean, readonly object[]])[] = [
  [
    "Copilot CLI 1.0.102",
    false,
    [
      { title: "Write a file", kind: "execute", status: "pending", rawInput: { command: "echo hello > a" } },
      { title: "Write a file", kind: "execute", status: "pending", rawInput: { command: "echo hello > a" } },
    ],
  ],
  [
    "Kimi Code 2.1.0",
    false,
    [
      { title: "Bash", kind: "execute", status: "pending", content: [text('{"command":"echo hello > a"}')] },
      { title: "Bash", content: [text("Requesting approval to Running: echo hel…")] },
    ],
  ],
  [
    "Gemini CLI 0.61.0",
    true,
    [
      {
        title: "echo hello > a",
        kind: "execute",
        status: "pending",
        content: [text("[current working directory /w]")],
      },
    ],
  ],
  [
    "Qwen Code 0.15.10",
    false,
    [{ title: "echo hello > a", kind: "execute", content: [], rawInput: { command: "echo hello > a" } }],
  ],
  [
    "OpenCode 1.18.33",
    false,
    [
      { title: "bash", kind: "execute", status: "pending", locations: [{ path: "/w" }], rawInput: { cwd: "/w" } },
      { title: "echo hello > a", kind: "execute", status: "pending", rawInput: { command: "echo hello > a" } },
    ],
  ],
];

describe("a tool call", () => {
  it.each(RECORDED)("of %s is known as the whole command when the agent asks", (_, isCommandInTitle, messages) => {
    const calls = messages.map((fields, n): ToolCall => {
      const toolCall = { toolCallId: "t", ...fields };
      const isLast = n === messages.length - 1;
      if (isLast) return parsePermissionRequest({ toolCall, options: [] })?.toolCall as ToolCall;
      const update = { sessionUpdate: "tool_call", ...toolCall };
      return parseUpdate({ sessionId: "s", update }, "s") as unknown as ToolCall;
    });
    const tool = calls.reduce<Tool | undefined>((known, call) => mergeTool(known, call, isCommandInTitle), undefined);
    expect(tool).toMatchObject({ kind: "execute", command: "echo hello > a" });
    expect(describeTool(tool as Tool)).toBe("echo hello > a");
  });

  it("has the files of its locations, its diff and its arguments", () => {
    const call: ToolCall = {
      toolCallId: "t",
      title: "Edit a.ts",
      kind: "edit",
      locations: [{ path: "/w/a.ts" }],
      content: [{ type: "diff", path: "/w/b.ts" }],
      rawInput: { file_path: "/w/c.ts" },
    };
    const tool = mergeTool(undefined, call, false);
    expect(tool).toMatchObject({ command: null, paths: ["/w/a.ts", "/w/b.ts", "/w/c.ts"] });
    expect(describeTool(tool)).toBe("Edit a.ts /w/a.ts /w/b.ts /w/c.ts");
  });

  it("with only a purpose has no command", () => {
    const tool = mergeTool(undefined, { toolCallId: "t", title: "git status", kind: "execute" }, false);
    expect(tool.command).toBeNull();
  });
});
