import type { Answers, Inquiry } from "./permission.ts";

/** Requests of the program that wait for people, and the answers so far of those with several questions. */
export interface Inquiries<One extends Inquiry = Inquiry> {
  readonly open: readonly One[];
  readonly answers: Answers;
}

export const NO_INQUIRIES: Inquiries<never> = { open: [], answers: {} };

/** Records a request that people are asked about. */
export function addInquiry<One extends Inquiry>(inquiries: Inquiries<One>, inquiry: One): Inquiries<One> {
  return { ...inquiries, open: [...inquiries.open, inquiry] };
}

/** Removes a request that is answered or withdrawn. */
export function dropInquiry<One extends Inquiry>(inquiries: Inquiries<One>, inquiry: One): Inquiries<One> {
  const ids = inquiry.questions.map(({ id }) => id);
  const answers = Object.entries(inquiries.answers).filter(([id]) => !ids.includes(id));
  return { open: inquiries.open.filter((one) => one !== inquiry), answers: Object.fromEntries(answers) };
}

/**
 * Records a person's answer and returns the request if it is now fully answered; an answer to no open question changes
 * nothing.
 */
export function answerInquiry<One extends Inquiry>(
  inquiries: Inquiries<One>,
  questionId: string,
  choice: string,
): { readonly inquiries: Inquiries<One>; readonly complete: One | null; readonly answers: Answers } {
  const inquiry = inquiries.open.find(({ questions }) => questions.some(({ id }) => id === questionId));
  if (inquiry === undefined) return { inquiries, complete: null, answers: inquiries.answers };
  const answers = { ...inquiries.answers, [questionId]: choice };
  const isComplete = inquiry.questions.every(({ id }) => answers[id] !== undefined);
  if (!isComplete) return { inquiries: { ...inquiries, answers }, complete: null, answers };
  return { inquiries: dropInquiry(inquiries, inquiry), complete: inquiry, answers };
}
