import { completeAsked, fitAsked } from "../core/question.ts";
import type { Question } from "./driver.ts";
import type { Printer } from "./print.ts";

/** Questions to a person, one at a time: `ao` shows one per session. */
export interface Questions {
  isOpen(): boolean;
  ask(question: Question): void;
  /** The answer in the driver's terms, and the question; null if this is not the open question. */
  answer(id: string, answer: string): { readonly answer: string; readonly question: Question } | null;
  /** The program no longer wants the answer. */
  withdraw(id: string): void;
  /** The turn is over: no question is open any more. */
  clear(): void;
}

/** Creates the list of questions; the first is the one being asked. */
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

// Maps a shortened choice back to the original.
function asOffered(question: Question, answer: string): string {
  const { choices } = fitAsked(completeAsked(question));
  return question.choices[choices.indexOf(answer)] ?? answer;
}
