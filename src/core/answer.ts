import type { Asked } from "./question.ts";
import { INLINE_LIMIT } from "./text.ts";

/** What a person's words mean as an answer; `wrong` explains to the person why they mean nothing. */
export type ReadAnswer =
  | { readonly kind: "choice"; readonly answer: string }
  | { readonly kind: "text"; readonly answer: string }
  | { readonly kind: "wrong"; readonly reason: string };

type Answerable = Pick<Asked, "kind" | "choices" | "freeText">;

// As a reason for a denial these would do the opposite of what was meant.
const CONSENT = /^(?:y|yes|yep|yeah|ok|okay|sure|allow(?:ed)?|approved?|accept(?:ed)?|granted)[.!]*$/i;

/** A choice by its text, its number or an unambiguous prefix; if the question takes free text, anything else. */
export function readAnswer(question: Answerable, written: string): ReadAnswer {
  const { kind, choices, freeText } = question;
  const answer = written.trim();
  if (answer === "")
    return wrong(choices.length === 0 ? "an answer needs some text" : `choose ${listChoices(question)}`);
  const choice = choices.find((one) => one === written) ?? findChoice(choices, answer);
  if (choice !== undefined) return { kind: "choice", answer: choice };
  const begun = choices.filter((one) => isBeginning(answer, one));
  const [first] = begun;
  if (first !== undefined && begun.length === 1) return { kind: "choice", answer: first };
  if (begun.length > 1) return wrong(`"${answer}" could be ${begun.map((one) => `"${one}"`).join(" or ")}`);
  if (!freeText || isSlip(question, answer)) return wrong(`"${answer}" is not one of the choices`);
  if (answer.length <= INLINE_LIMIT) return { kind: "text", answer };
  const rest =
    kind === "permission" ? "deny it, and send the rest with `ao send`" : "put the rest into a file and name it";
  return wrong(`an answer has at most ${INLINE_LIMIT} characters; ${rest}`);
}

/** The choices for a sentence: `"allow" (1) or "deny" (2)`. */
export function listChoices({ choices, freeText }: Answerable): string {
  const named = choices.map((choice, n) => `"${choice}" (${n + 1})`);
  return [...named, ...(freeText ? ["any other text"] : [])].join(", ").replace(/, ([^,]*)$/, " or $1");
}

// "Yes" and "YES" may both be offered: an exact match was already found before.
function findChoice(choices: readonly string[], answer: string): string | undefined {
  const exact = choices.find((one) => one === answer);
  const number = /^\d+$/.test(answer) ? choices[Number(answer) - 1] : undefined;
  return exact ?? number ?? choices.find((one) => one.trim().toLowerCase() === answer.toLowerCase());
}

function isBeginning(answer: string, choice: string): boolean {
  return choice.trim().toLowerCase().startsWith(answer.toLowerCase());
}

// A number that is not on the list, or a "yes" where "allow" was expected.
function isSlip({ kind, choices }: Answerable, answer: string): boolean {
  if (choices.length === 0) return false;
  if (/^\d+$/.test(answer)) return !choices.some((choice) => /^\d/.test(choice));
  return kind === "permission" && CONSENT.test(answer);
}

function wrong(reason: string): ReadAnswer {
  return { kind: "wrong", reason };
}
