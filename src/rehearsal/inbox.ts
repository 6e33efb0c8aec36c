import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { decodeMessage, type LinesMessage } from "../core/lines-protocol.ts";

/** Messages from standard input, one at a time. Null at the end of the input. */
export interface Inbox {
  next(): Promise<LinesMessage | null>;
  answerTo(questionId: string): Promise<string | null>;
}

/** Reads messages from a stream; ignores other lines. */
export function createInbox(input: Readable): Inbox {
  const queue: LinesMessage[] = [];
  let isOver = false;
  let awaited: { readonly questionId: string | null; readonly resolve: (message: LinesMessage | null) => void } | null =
    null;
  const give = (message: LinesMessage | null): void => {
    const { resolve } = awaited ?? {};
    awaited = null;
    resolve?.(message);
  };
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on("line", (line) => {
    const message = decodeMessage(line);
    // A script is played to its end.
    if (message === null || message.kind === "interrupt") return;
    // An answer that nobody waits for belongs to a question of an earlier process.
    if (message.kind === "answer") {
      if (awaited?.questionId === message.id) give(message);
    } else if (awaited !== null && awaited.questionId === null) give(message);
    else queue.push(message);
  });
  lines.on("close", () => {
    isOver = true;
    give(null);
  });
  const wait = (questionId: string | null): Promise<LinesMessage | null> =>
    isOver
      ? Promise.resolve(null)
      : new Promise((resolve) => {
          awaited = { questionId, resolve };
        });
  return {
    next: async () => queue.shift() ?? wait(null),
    answerTo: async (questionId) => (await wait(questionId))?.text ?? null,
  };
}
