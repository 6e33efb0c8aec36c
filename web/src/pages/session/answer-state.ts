import type { QuestionView } from "../../../../src/protocol/views/question.ts";

/** An answer, and the question it was meant for. */
export interface Answer {
  readonly choice: string;
  readonly questionId: string;
}

/** The last answer given on the page. */
interface LastAnswer {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly variables: Answer | undefined;
}

interface AnswerState {
  /** The answer that is on its way. */
  readonly sending: string | null;
  readonly failure: Error | null;
}

/** What a question shows about its answer; the last answer may have been to an earlier one. */
export function answerState({ id }: Pick<QuestionView, "id">, last: LastAnswer): AnswerState {
  const { isPending, error, variables } = last;
  if (variables?.questionId !== id) return { sending: null, failure: null };
  return { sending: isPending ? variables.choice : null, failure: error };
}

/** Whether a key may answer the question; a rejected answer may be given again. */
export function canAnswer(question: Pick<QuestionView, "id" | "answered"> | null, last: LastAnswer): boolean {
  return question !== null && question.answered !== true && answerState(question, last).sending === null;
}
