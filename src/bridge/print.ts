import { encodeSignal } from "../core/lines-protocol.ts";
import { askLine } from "./ask-line.ts";
import type { Question, Usage } from "./driver.ts";

/** What the bridge says to `ao` and to people. */
export interface Printer {
  received(id: string): void;
  /** `resumes`: a later process can continue it. */
  conversation(id: string, resumes: boolean): void;
  working(note: string | null): void;
  limited(until: Date | null, note: string): void;
  held(id: string, reason: string): void;
  waiting(note: string): void;
  errored(note: string): void;
  ask(question: Question): void;
  unask(id: string): void;
  usage(usage: Usage): void;
  done(summary: string): void;
}

/** People read no faster than this, and the transcript shows every note. The newest is printed in the end. */
const NOTE_MS = 1000;
const MAX_NOTE = 2000;

/** Makes the lines; `write` gets each of them whole. */
export function createPrinter(write: (line: string) => void): Printer {
  let notedAt = 0;
  let later: NodeJS.Timeout | undefined;
  const note = (text: string): void => {
    notedAt = Date.now();
    write(encodeSignal({ kind: "status", state: "working", note: cut(text, MAX_NOTE) }));
  };
  // A note that waits is old news now, and the next one is news again, however soon it comes.
  const state = (value: Readonly<Record<string, unknown>> | string): void => {
    clearTimeout(later);
    notedAt = 0;
    write(typeof value === "string" ? value : `${JSON.stringify(value)}\n`);
  };
  return {
    received: (id) => write(encodeSignal({ kind: "received", id })),
    conversation: (id, resumes) => write(encodeSignal({ kind: "conversation", id, ...(resumes ? { resumes } : {}) })),
    working: (what) => {
      if (what === null) return state({ type: "status", state: "working" });
      clearTimeout(later);
      const wait = notedAt + NOTE_MS - Date.now();
      if (wait <= 0) note(what);
      else later = setTimeout(note, wait, what).unref();
    },
    limited: (until, note) =>
      state({
        type: "status",
        state: "rate-limited",
        until: until?.toISOString() ?? null,
        note: cut(note, MAX_NOTE),
      }),
    held: (id, reason) => write(encodeSignal({ kind: "held", id, reason: cut(reason, MAX_NOTE) })),
    waiting: (note) => state({ type: "status", state: "waiting", note: cut(note, MAX_NOTE) }),
    errored: (note) => state({ type: "status", state: "errored", note: cut(note, MAX_NOTE) }),
    ask: (question) => state(askLine(question)),
    unask: (id) => write(encodeSignal({ kind: "unasked", id })),
    usage: ({ model, ...used }) =>
      write(encodeSignal({ kind: "usage", ...used, ...(model === null ? {} : { model }) })),
    done: (summary) => state({ type: "done", summary: cut(summary, MAX_NOTE) }),
  };
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}
