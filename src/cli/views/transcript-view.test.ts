import { describe, expect, it } from "vitest";
import type { TranscriptContent, TranscriptItem } from "../../protocol/views/transcript.ts";
import { loadMarkdown } from "./markdown.ts";
import { style } from "./style.ts";
import { createTranscriptView, type TranscriptView } from "./transcript-view.ts";

const plain = style({});
const QUESTION = {
  id: "q1",
  kind: "permission",
  choices: ["allow", "deny"],
  descriptions: {},
  freeText: true,
} as const;

async function aView(options: { readonly full?: boolean; readonly width?: number } = {}): Promise<TranscriptView> {
  const { full = false, width = 60 } = options;
  const markdown = await loadMarkdown({ style: plain, width: width - 14 });
  return createTranscriptView({ style: plain, sessionId: "app-fix", width, full, markdown });
}

/** Items one minute apart, in local time. */
function items(...contents: readonly TranscriptContent[]): readonly TranscriptItem[] {
  return contents.map((content, n) => ({
    id: String(n),
    at: new Date(2026, 10, 15, 18, 40 + Math.floor(n / 3)).toISOString(),
    ...content,
  }));
}

const message = (text: string, from: "person" | "ao" = "person"): TranscriptContent => ({
  ...{ kind: "message", from, text, about: null },
});
const tool = (title: string, input: string | null = null): TranscriptContent => ({
  ...{ kind: "tool", tool: "t1", name: "Bash", title, input },
});
const result = (text: string, ok = true): TranscriptContent => ({ kind: "result", tool: "t1", ok, text, omitted: 0 });

describe("a transcript on a terminal", () => {
  it("has times, speakers, tools with their results, and rules between turns", async () => {
    const view = await aView();
    const lines = view.show(
      items(
        message("Fix the login"),
        { kind: "say", text: "I **look** at:\n\n- `a.ts`\n- b.ts" },
        tool("npm test"),
        result("1 failed", false),
        { kind: "event", type: "check.finished", level: "bad", text: "check `unit` failed" },
        message("The check failed.", "ao"),
        { kind: "end", outcome: "done", text: null },
        { kind: "end", outcome: "interrupted", text: null },
      ),
    );
    expect(lines).toEqual([
      `── Sun, Nov 15 ${"─".repeat(45)}`,
      "18:40  you    Fix the login",
      "       agent  I look at:",
      "",
      "              • a.ts",
      "              • b.ts",
      "       tool   Bash npm test",
      "              │ failed",
      "              │ 1 failed",
      "18:41  ao     check `unit` failed",
      "─".repeat(60),
      "       ao     The check failed.",
      "18:42  ao     interrupted",
    ]);
  });

  it("folds long results, and shows them in full on request", async () => {
    const text = Array.from({ length: 40 }, (_, n) => `line ${n + 1}`).join("\n");
    const folded = (await aView()).show(items(tool("ls"), result(text)));
    expect(folded.slice(-2)).toEqual([
      "              │ line 5",
      "              │ … 35 more lines (ao logs app-fix --full)",
    ]);
    const full = (await aView({ full: true })).show(items(tool("ls"), result(text)));
    expect(full.at(-1)).toBe("              │ line 40");
  });

  it("names the tool of a result if other items came between", async () => {
    const other: TranscriptContent = { kind: "tool", tool: "t2", name: "Read", title: "b.ts", input: null };
    const lines = (await aView()).show(items(tool("npm test"), other, result("ok")));
    expect(lines.slice(-2)).toEqual(["              result of Bash npm test", "              │ ok"]);
  });

  it("shows an open question in full, and an answered one without its choices", async () => {
    const question = { ...QUESTION, question: "Run this?", detail: { format: "command", text: "rm a\nrm b" } } as const;
    const open = (await aView()).show(items({ kind: "question", question }));
    expect(open.join("\n")).toMatch(/asks {3}Run this\?\n +│ rm a\n +│ rm b\n +1\. allow\n +2\. deny/);
    const answer: TranscriptContent = { kind: "answer", questionId: "q1", text: "allow" };
    const over = (await aView()).show(items(tool("rm a\nrm b"), { kind: "question", question }, answer, result("")));
    expect(over.slice(1)).toEqual([
      "18:40  tool   Bash rm a",
      "              rm b",
      "       asks   Run this?",
      "       you    allow",
    ]);
  });

  it("makes terminal escapes visible in every kind of item", async () => {
    const evil = "a\u001b[2Jb\u202ec";
    const contents: readonly TranscriptContent[] = [
      message(evil),
      { kind: "say", text: `${evil} \`${evil}\`\n\n\`\`\`\n${evil}\n\`\`\`` },
      tool(evil, evil),
      result(evil),
      { kind: "output", stream: "out", text: evil },
      { kind: "question", question: { ...QUESTION, question: evil, detail: { format: "text", text: evil } } },
      { kind: "answer", questionId: "q1", text: evil },
      { kind: "end", outcome: "failed", text: evil },
      { kind: "event", type: "note", level: "info", text: evil },
    ];
    const shown = (await aView()).show(items(...contents)).join("\n");
    expect(shown).not.toMatch(/[\u001b\u202e]/);
    expect(shown.match(/\\u202e/g)).toHaveLength(13);
  });

  it("wraps words at the width of the terminal", async () => {
    const lines = (await aView({ width: 40 })).show(items({ kind: "say", text: "word ".repeat(30) }));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40);
  });
});
