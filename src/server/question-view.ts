import { completeAsked } from "../core/question.ts";
import type { Question } from "../core/session/state.ts";
import { beginning, sizeOf } from "../core/text.ts";
import type { InboxView } from "../protocol/views/inbox.ts";
import type { QuestionView } from "../protocol/views/question.ts";
import type { InboxEntry } from "./inbox.ts";
import type { TextOf } from "./pull-request-views.ts";

/** A question with its details, wherever they are stored. */
export async function toQuestionView(question: Question, textOf: TextOf): Promise<QuestionView> {
  const { detail, ...asked } = completeAsked(question);
  const shown = detail === null ? null : { format: detail.format, text: await textOf(detail.text) };
  const answered = question.answeredBy === null ? {} : { answered: true as const };
  return { id: question.id, ...asked, detail: shown, ...answered };
}

/** A question as lists show it: the start of a long, stored detail. */
export function toListedQuestion(question: Question): QuestionView {
  const { detail, ...asked } = completeAsked(question);
  const text = detail === null ? "" : beginning(detail.text);
  const isCut = detail !== null && sizeOf(detail.text) > sizeOf({ inline: text });
  return {
    id: question.id,
    ...asked,
    detail: detail === null ? null : { format: detail.format, text, ...(isCut ? { isCut: true as const } : {}) },
    ...(question.answeredBy === null ? {} : { answered: true as const }),
  };
}

/** Inbox entries for display, with their complete questions. */
export function showInbox(entries: readonly InboxEntry[], textOf: TextOf): Promise<readonly InboxView[]> {
  return Promise.all(
    entries.map(async ({ view, need: { question } }) => ({
      ...view,
      question: question === null ? null : await toQuestionView(question, textOf),
    })),
  );
}
