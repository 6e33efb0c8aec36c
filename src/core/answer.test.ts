import { describe, expect, it } from "vitest";
import { listChoices, readAnswer } from "./answer.ts";

const permission = { kind: "permission", choices: ["allow", "allow always", "deny"], freeText: true } as const;
const question = { kind: "question", choices: ["Blue", "Green"], freeText: true } as const;
const strict = { ...question, freeText: false } as const;
const open = { kind: "question", choices: [], freeText: true } as const;

describe("an answer", () => {
  it.each([
    [permission, "allow", "allow"],
    [permission, "2", "allow always"],
    [permission, " Allow Always ", "allow always"],
    [permission, "d", "deny"],
    [permission, "allow a", "allow always"],
    [strict, "blue", "Blue"],
    [strict, "gr", "Green"],
    [{ ...strict, choices: ["10", "1"] }, "1", "1"],
    [{ ...strict, choices: ["YES", "yes"] }, "yes", "yes"],
  ] as const)("to %o, %s means the choice %s", (asked, written, answer) => {
    expect(readAnswer(asked, written)).toEqual({ kind: "choice", answer });
  });

  it.each([
    [permission, "no, use sed instead"],
    [permission, "allow it only below src"],
    [permission, "no"],
    [question, "Red"],
    [{ ...question, choices: ["3 times", "5 times"] }, "7"],
    [open, "42"],
    [open, "yes"],
  ] as const)("to %o, %s is taken as is", (asked, written) => {
    expect(readAnswer(asked, written)).toEqual({ kind: "text", answer: written });
  });

  it.each([
    [permission, "", 'choose "allow" (1), "allow always" (2), "deny" (3) or any other text'],
    [permission, "  \n", 'choose "allow" (1), "allow always" (2), "deny" (3) or any other text'],
    [permission, "a", '"a" could be "allow" or "allow always"'],
    [permission, "4", '"4" is not one of the choices'],
    [permission, "yes", '"yes" is not one of the choices'],
    [permission, "OK!", '"OK!" is not one of the choices'],
    [strict, "Red", '"Red" is not one of the choices'],
    [question, "3", '"3" is not one of the choices'],
    [open, " ", "an answer needs some text"],
  ] as const)("to %o, %s means nothing", (asked, written, reason) => {
    expect(readAnswer(asked, written)).toEqual({ kind: "wrong", reason });
  });

  it("fits into an event", () => {
    expect(readAnswer(open, "x".repeat(4096)).kind).toBe("text");
    expect(readAnswer(open, "x".repeat(4097))).toMatchObject({ kind: "wrong" });
  });
});

it("choices are listed with their numbers", () => {
  expect(listChoices(strict)).toBe('"Blue" (1) or "Green" (2)');
  expect(listChoices(open)).toBe("any other text");
});
