import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../../testing/temp.ts";
import type { ToolRequest } from "./events.ts";
import { inquire, respond } from "./permission.ts";
import { describeRequest, describeScope } from "./tool-question.ts";

function aWorkspace(): { readonly cwd: string; readonly file: string } {
  const cwd = tempDir();
  const file = join(cwd, "notes.md");
  writeFileSync(file, "one\ntwo $1\nthree\n");
  writeFileSync(join(cwd, "image.png"), "\0\0");
  return { cwd, file };
}

describe("a request of Claude Code", () => {
  it("to run a command shows all of its lines", () => {
    const cwd = "/w";
    const command = "echo tidy up\nrm -f license\n\tcat <<EOF\nEOF";
    expect(describeRequest("Bash", { command, description: "Tidies up" }, cwd)).toEqual({
      question: "Claude Code wants to run:",
      detail: { format: "command", text: command },
    });
  });

  it("to run one in the background or outside its sandbox mentions that", () => {
    const cwd = "/w";
    const input = { command: "sleep 9", run_in_background: true, dangerouslyDisableSandbox: true };
    expect(describeRequest("Bash", input, cwd).question).toBe(
      "Claude Code wants to run in the background outside its sandbox:",
    );
  });

  it("to write a file shows the changes, or the whole new file", () => {
    const { cwd, file } = aWorkspace();
    expect(describeRequest("Write", { file_path: file, content: "one\n2\nthree\n" }, cwd)).toEqual({
      question: "Claude Code wants to edit notes.md (+1 -1):",
      detail: { format: "diff", text: "--- notes.md\n+++ notes.md\n@@ -1,3 +1,3 @@\n one\n-two $1\n+2\n three" },
    });
    expect(describeRequest("Write", { file_path: join(cwd, "new.md"), content: "a\nb\n" }, cwd)).toEqual({
      question: "Claude Code wants to create new.md:",
      detail: { format: "text", text: "a\nb\n" },
    });
    expect(describeRequest("Write", { file_path: join(cwd, "image.png"), content: "text" }, cwd)).toEqual({
      question: "Claude Code wants to overwrite image.png, which is not a text file, with:",
      detail: { format: "text", text: "text" },
    });
  });

  it("to edit a file shows the edit in context", () => {
    const { cwd, file } = aWorkspace();
    const input = { file_path: file, old_string: "two $1", new_string: "$& two" };
    expect(describeRequest("Edit", input, cwd).detail?.text).toContain("\n one\n-two $1\n+$& two\n three");
    const edits = [
      { old_string: "o", new_string: "0", replace_all: true },
      { old_string: "three", new_string: "3" },
    ];
    expect(describeRequest("MultiEdit", { file_path: file, edits }, cwd)).toEqual({
      question: "Claude Code wants to edit notes.md (+3 -3):",
      detail: { format: "diff", text: expect.stringContaining("-one\n-two $1\n-three\n+0ne\n+tw0 $1\n+3") },
    });
  });

  it("to edit missing text shows the edit alone", () => {
    const { cwd, file } = aWorkspace();
    const input = { file_path: file, old_string: "gone", new_string: "here", replace_all: true };
    expect(describeRequest("Edit", input, cwd)).toEqual({
      question: "Claude Code wants to edit notes.md, everywhere in it:",
      detail: { format: "diff", text: expect.stringContaining("-gone\n") },
    });
  });

  it("to use any other tool shows its whole input", () => {
    const cwd = "/w";
    expect(describeRequest("WebFetch", { url: "https://a.b", prompt: "Read\nit" }, cwd)).toEqual({
      question: "Claude Code wants to use WebFetch:",
      detail: { format: "text", text: '{\n  "url": "https://a.b",\n  "prompt": "Read\\nit"\n}' },
    });
    expect(describeRequest("WebSearch", { query: "a\nb" }, cwd).detail?.text).toBe("a\nb");
    expect(describeRequest("Nothing", {}, cwd)).toEqual({
      question: "Claude Code wants to use Nothing.",
      detail: null,
    });
    expect(describeRequest("ExitPlanMode", { plan: "1. Do\n2. Done" }, cwd).detail?.text).toBe("1. Do\n2. Done");
  });
});

it.each([
  [{ type: "addRules", rules: [{ toolName: "Bash", ruleContent: "npm test:*" }] }, "Bash(npm test:*)"],
  [
    { type: "addRules", rules: [{ toolName: "WebSearch" }, { toolName: "Read" }] },
    "every use of WebSearch, every use of Read",
  ],
  [{ type: "setMode", mode: "acceptEdits" }, "all edits in the workspace"],
  [{ type: "addDirectories", directories: ["/a", "/b"] }, "reading and editing in /a, reading and editing in /b"],
  [{ type: "new" }, '{"type":"new"}'],
  [{ type: "setMode", mode: { toString: "" } }, 'everything of mode {"toString":""}'],
  [{ type: "addDirectories", directories: [{ toString: "" }] }, 'reading and editing in {"toString":""}'],
  [
    { type: "addRules", rules: [{ toolName: { toString: "" }, ruleContent: "ls" }] },
    '{"toolName":{"toString":""},"ruleContent":"ls"}',
  ],
])("the scope of `allow always` by %o is %s", (suggestion, scope) => {
  expect(describeScope([suggestion])).toBe(`${scope}; until the agent's process ends`);
});

it("Claude Code's own questions keep their descriptions, and accept free text", () => {
  const options = [{ label: "red", description: "Warm.\nOld." }, { label: "blue" }];
  const input = { questions: [{ question: "Which?", options, multiSelect: true }] };
  const request: ToolRequest = {
    subtype: "can_use_tool",
    tool_name: "AskUserQuestion",
    input,
    permission_suggestions: [],
  };
  const inquiry = inquire("r", request, "/w");
  expect(inquiry.questions).toEqual([
    {
      id: "r-0",
      kind: "question",
      question: "Which?\n(for several of them, write their names with commas)",
      choices: ["red", "blue"],
      descriptions: { red: "Warm.\nOld." },
      freeText: true,
    },
  ]);
  expect(respond(inquiry, { "r-0": "red, blue" })).toMatchObject({
    updatedInput: { answers: { "Which?": "red, blue" } },
  });
});
