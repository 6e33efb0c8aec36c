import { readAnswer } from "../../../core/answer.ts";
import { AoError } from "../../../core/errors.ts";
import type { QuestionView } from "../../../protocol/views/question.ts";
import type { SessionDetailView } from "../../../protocol/views/session.ts";
import type { TranscriptItem } from "../../../protocol/views/transcript.ts";
import type { Client } from "../../client/client.ts";
import { describeFate } from "../../client/message-fate.ts";
import { followTranscript, readTranscript } from "../../views/follow-transcript.ts";
import { note, print } from "../../views/print.ts";
import { renderQuestion } from "../../views/question-view.ts";
import { openTranscriptView } from "../../views/show-transcript.ts";
import { type Style, style } from "../../views/style.ts";
import { visibleLine } from "../../views/visible.ts";
import { untilInterrupted } from "../../views/watch.ts";
import { type InputLine, openInputLine } from "./input-line.ts";
import { hasTerminal } from "./open-terminal.ts";
import { runSlashCommand } from "./slash-command.ts";

const TAIL_ITEMS = 60;
const CONFIRM_MS = 3000;

/** Shows the end of a session's conversation and what follows, until the person leaves; on a terminal they can type. */
export async function followSession(client: Client, session: SessionDetailView): Promise<void> {
  const { id } = session;
  const interrupted = untilInterrupted();
  const leaving = new AbortController();
  const signal = AbortSignal.any([interrupted, leaving.signal]);
  const view = await openTranscriptView(id, { full: false, stream: process.stdout });
  const { items, cursor } = await readTranscript(client, id, TAIL_ITEMS);
  note(`Following ${id} (${session.status.replaceAll("-", " ")}). Ctrl+C detaches.`);
  const talk = hasTerminal() ? openTalk(client, session, () => leaving.abort()) : null;
  const show = (more: readonly TranscriptItem[]): void => {
    const lines = view.show(more);
    if (talk !== null) talk.show(lines, more);
    else if (lines.length > 0) print(lines.join("\n"));
  };
  try {
    show(items);
    talk?.begin(items);
    for await (const more of followTranscript(client, id, { cursor, signal })) show(more);
  } finally {
    talk?.close();
  }
  note(signal.aborted ? `Detached; ${id} keeps running.` : `${id} has stopped.`);
}

interface Talk {
  show(lines: readonly string[], items: readonly TranscriptItem[]): void;
  /** The conversation so far is shown: the person may type from now on. */
  begin(items: readonly TranscriptItem[]): void;
  close(): void;
}

/** The input line of a session: what is typed is a message, or the answer to the open question. */
function openTalk(client: Client, session: SessionDetailView, onLeave: () => void): Talk {
  const { id } = session;
  const paint = style(process.stdout);
  let question: QuestionView | null = session.question;
  let lane = Promise.resolve();
  const mark = (): string => (question === null ? "> " : "answer> ");
  const take = async (text: string): Promise<void> => {
    if (text.startsWith("/") && !text.startsWith("//")) {
      const lines = await runSlashCommand(client, id, { text, paint });
      if (lines === null) onLeave();
      else line.print(lines);
    } else if (question === null) line.print([paint.dim(await send(client, id, text.replace(/^\/\//, "/")))]);
    else line.print(await answer(client, id, { question, text, paint }));
  };
  const line: InputLine = openInputLine({
    mark: mark(),
    onText: (text) => {
      lane = lane.then(() => take(text)).catch((error: unknown) => line.print(describeError(error, paint)));
    },
    onLeave,
  });
  return {
    show: (lines, items) => {
      question = items.reduce(openAfter, question);
      line.setMark(mark());
      line.print(lines);
    },
    begin: (items) => {
      const isShown = items.some((item) => item.kind === "question" && item.question.id === question?.id);
      if (question !== null && !isShown) line.print(renderQuestion(question, paint, process.stdout.columns));
      line.print([paint.dim("Type a message and press Enter. /help lists commands.")]);
    },
    close: line.close,
  };
}

/** The open question after an item. */
function openAfter(question: QuestionView | null, item: TranscriptItem): QuestionView | null {
  if (item.kind === "question") return item.question;
  const isOver =
    item.kind === "answer" || item.kind === "end" || (item.kind === "event" && item.type === "question.withdrawn");
  return isOver ? null : question;
}

async function send(client: Client, id: string, content: string): Promise<string> {
  const { messageId } = await client.call("POST /api/sessions/:id/message", { params: { id }, input: { content } });
  return fateOf(client, id, messageId);
}

/** What became of a message after a moment. */
async function fateOf(client: Client, id: string, mid: string): Promise<string> {
  const input = { wait: CONFIRM_MS };
  return describeFate(await client.call("GET /api/sessions/:id/messages/:mid", { params: { id, mid }, input }));
}

async function answer(
  client: Client,
  id: string,
  { question, text, paint }: { readonly question: QuestionView; readonly text: string; readonly paint: Style },
): Promise<readonly string[]> {
  const read = readAnswer(question, text);
  if (read.kind === "wrong") return [paint.yellow(visibleLine(read.reason))];
  const input = { choice: read.answer, questionId: question.id };
  await client.call("POST /api/sessions/:id/permission", { params: { id }, input });
  return [];
}

function describeError(error: unknown, paint: Style): readonly string[] {
  if (!(error instanceof AoError)) return [paint.red(`error: ${visibleLine(String(error))}`)];
  const hint = error.hint === undefined ? [] : [paint.dim(`hint: ${visibleLine(error.hint)}`)];
  return [paint.red(`error: ${visibleLine(error.message)}`), ...hint];
}
