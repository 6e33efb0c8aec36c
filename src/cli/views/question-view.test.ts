import { describe, expect, it } from "vitest";
import { completeAsked, type PartlyAsked } from "../../core/question.ts";
import type { QuestionView } from "../../protocol/views/question.ts";
import { renderQuestion } from "./question-view.ts";
import { style } from "./style.ts";

const plain = style({});
const marked = { ...plain, green: (text: string) => `<+${text}>`, red: (text: string) => `<-${text}>` };

function aQuestion(asked: Partial<PartlyAsked<string>>): QuestionView {
  return { id: "q", ...completeAsked({ question: "Claude Code wants to run:", choices: ["allow", "deny"], ...asked }) };
}

describe("a question for people", () => {
  it("shows every line of the request, the choices with their meaning, and that a reason can be given", () => {
    const detail = { format: "command", text: "echo tidy up\n\trm -f license\n" } as const;
    const descriptions = { allow: "once", deny: "The agent looks for\nanother way." };
    const question = aQuestion({ kind: "permission", detail, descriptions, freeText: true });
    expect(renderQuestion(question, plain)).toEqual([
      "Claude Code wants to run:",
      "│ echo tidy up",
      "│ →   rm -f license",
      " 1. allow",
      "      once",
      " 2. deny",
      "      The agent looks for",
      "      another way.",
      "    Or type a reason to deny it; the agent reads why.",
    ]);
  });

  it("keeps the lines of its headline", () => {
    expect(renderQuestion(aQuestion({ question: "Which?\nA or B?", choices: [] }), plain)).toEqual([
      "Which?",
      "A or B?",
      "    Answer in your own words.",
    ]);
  });

  it("colors a diff", () => {
    const detail = { format: "diff", text: "-old\n+new\n same" } as const;
    expect(renderQuestion(aQuestion({ detail, choices: [] }), marked).slice(1, 4)).toEqual([
      "│ <--old>",
      "│ <++new>",
      "│  same",
    ]);
  });

  it("wraps a long line so that it cannot pass for two", () => {
    const detail = { format: "command", text: "echo one; rm two" } as const;
    const lines = renderQuestion(aQuestion({ detail, question: "Run?", choices: [] }), plain, 12);
    expect(lines.slice(0, 3)).toEqual(["Run?", "│ echo one; ", "┊ rm two"]);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(12);
  });
});
