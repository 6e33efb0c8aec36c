import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Asked, completeAsked, describeAsked, descriptionOf, fitAsked, summarizeQuestion } from "./question.ts";

const plain = completeAsked<string>({ question: "Deploy?", choices: ["yes", "no"] });

describe("a minimal question", () => {
  it("asks for information, and accepts only its choices", () => {
    expect(plain).toEqual({
      kind: "question",
      question: "Deploy?",
      detail: null,
      choices: ["yes", "no"],
      descriptions: {},
      freeText: false,
    });
  });

  it("accepts any text if it has no choices", () => {
    expect(completeAsked({ question: "Which name?", choices: [], freeText: false }).freeText).toBe(true);
  });
});

it("a choice named like a built-in property is not described by it", () => {
  expect(descriptionOf(plain, "constructor")).toBeNull();
  expect(descriptionOf({ descriptions: { yes: "to production" } }, "yes")).toBe("to production");
});

describe("a question on one line", () => {
  const detail = { format: "command", text: { inline: "echo tidy up\n  rm -f license\n" } } as const;

  it("shows where lines end", () => {
    const asked = { kind: "permission", question: "It wants to run:", choices: [], detail } as const;
    expect(summarizeQuestion(asked)).toBe("It wants to run: echo tidy up ⏎ rm -f license");
    expect(describeAsked(asked)).toBe("It wants to run: echo tidy up ⏎ rm -f license");
    expect(describeAsked({ question: "A\nor B?", choices: [] })).toBe("asks: A ⏎ or B?");
  });

  it("shows that more follows", () => {
    expect(summarizeQuestion({ question: "It wants to run:", choices: [], detail }, 30)).toBe(
      "It wants to run: echo tidy up…",
    );
  });

  it("omits the start of a diff", () => {
    const diff = { format: "diff", text: { inline: "--- a\n+++ b" } } as const;
    expect(summarizeQuestion({ question: "It wants to edit a:", choices: [], detail: diff })).toBe(
      "It wants to edit a:",
    );
  });
});

describe("a question that is too long for an event", () => {
  it("stays the same if it fits", () => {
    const asked: Asked<string> = { ...plain, detail: { format: "command", text: "rm\n".repeat(5000) } };
    expect(fitAsked(asked)).toEqual(asked);
  });

  it("has its whole headline in the details", () => {
    const question = `Which one?\n${"line\n".repeat(500)}`;
    const fitted = fitAsked({ ...plain, question });
    expect(fitted.question).toHaveLength(1000);
    expect(fitted.question).toMatch(/^Which one\?\nline\n.*… \(in full below\)$/s);
    expect(fitted.detail?.text).toContain(question);
  });

  it("keeps its own details before what is moved there", () => {
    const detail = { format: "command", text: "make\ndeploy" } as const;
    const fitted = fitAsked({ ...plain, question: "?".repeat(2000), detail });
    expect(fitted.detail?.format).toBe("command");
    expect(fitted.detail?.text.startsWith("make\ndeploy\n\nThe whole question:\n???")).toBe(true);
  });

  it("offers 20 choices and lists the others", () => {
    const choices = Array.from({ length: 23 }, (_, n) => `choice ${n + 1}`);
    const fitted = fitAsked({ ...plain, choices });
    expect(fitted.choices).toEqual(choices.slice(0, 20));
    expect(fitted.detail?.text).toBe("More choices:\n- choice 21\n- choice 22\n- choice 23");
  });

  it("loses nothing, and is small", () => {
    const text = fc.string({ maxLength: 3000, size: "max" });
    const choices = fc.uniqueArray(text, { maxLength: 25 });
    fc.assert(
      fc.property(text, choices, text, (question, offered, description) => {
        const descriptions = Object.fromEntries(offered.map((choice) => [choice, description]));
        const fitted = fitAsked({ ...plain, question, choices: offered, descriptions });
        const { detail, ...rest } = fitted;
        expect(rest.question.length + rest.choices.join("").length).toBeLessThanOrEqual(1000 + 20 * 500);
        expect(Object.values(rest.descriptions).join("").length).toBeLessThanOrEqual(3000);
        const all = [rest.question, ...rest.choices, ...Object.values(rest.descriptions), detail?.text ?? ""].join(
          "\n",
        );
        for (const one of [question, ...offered, ...Object.values(descriptions)]) expect(all).toContain(one);
      }),
      { numRuns: 50 },
    );
  });
});
