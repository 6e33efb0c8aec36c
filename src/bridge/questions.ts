import { completeAsked, fitAsked } from "../core/question.ts";
import type { Question } from "./driver.ts";
import type { Printer } from "./print.ts";

/** Questions to a person, one at a time: `ao` shows one for each session. */
export interface Questions {
  isOpen(): boolean;
  ask(question: Question): void;
  /** The answer as the driver knows it, and the question; null: this is not the open question. */
  answer(id: string, answer: string): { readonly answer: string; readonly question: Question } | null;
  /** The program does not want the answer any more. */
  withdraw(id: string): void;
  /** The turn is over: nobody waits for an answer any more. */
  clear(): void;
}

/** Makes the list of questions; the first is the one that was asked. */
export function createQuestions(printer: Printer): Questions {
  let waiting: readonly Question[] = [];
  const next = (): void => {
    const [first] = waiting;
    if (first === undefined) printer.working(null);
    else printer.ask(first);
  };
  const remove = (id: string): void => {
    const wasOpen = waiting[0]?.id === id;
    waiting = waiting.filter((question) => question.id !== id);
    if (wasOpen) next();
  };
  return {
    isOpen: () => waiting.length > 0,
    ask: (question) => {
      waiting = [...waiting, question];
      if (waiting.length === 1) printer.ask(question);
    },
    answer: (id, answer) => {
      const [open] = waiting;
      if (open?.id !== id) return null;
      remove(id);
      return { answer: asOffered(open, answer), question: open };
    },
    withdraw: (id) => {
      if (waiting[0]?.id === id) printer.unask(id);
      remove(id);
    },
    clear: () => {
      const [open] = waiting;
      waiting = [];
      if (open !== undefined) printer.unask(open.id);
    },
  };
}

// A choice that was too long to be offered whole comes back as it was offered.
function asOffered(question: Question, answer: string): string {
  const { choices } = fitAsked(completeAsked(question));
  return question.choices[choices.indexOf(answer)] ?? answer;
}
