import type { AskedSignal, LimitCause } from "../core/agent-signal.ts";
import { encodeSignal, MAX_LINE } from "../core/lines-protocol.ts";
import type { RateWindow } from "../core/rate-window.ts";
import type { Question, Usage } from "./driver.ts";

/** What the bridge prints for `ao` and for people. */
export interface Printer {
  received(id: string): void;
  /** `resumes`: a later process can continue it. */
  conversation(id: string, resumes: boolean): void;
  working(note: string | null): void;
  /** `until`: when it tries again; null: unknown. */
  limited(until: Date | null, note: string, cause?: LimitCause): void;
  held(id: string, reason: string): void;
  waiting(note: string): void;
  errored(note: string): void;
  ask(question: Question): void;
  unask(id: string): void;
  usage(usage: Usage): void;
  windows(windows: readonly RateWindow[]): void;
  done(summary: string): void;
}

/** People read no faster than this, and the transcript shows every note. The newest is always printed in the end. */
const NOTE_MS = 1000;
const MAX_NOTE = 2000;

/** Creates the lines; `write` gets each complete line. */
export function createPrinter(write: (line: string) => void): Printer {
  let notedAt = 0;
  let shownWindows = "";
  let later: NodeJS.Timeout | undefined;
  const note = (text: string): void => {
    notedAt = Date.now();
    write(encodeSignal({ kind: "status", state: "working", note: cut(text, MAX_NOTE) }));
  };
  // A waiting note is outdated now, and the next one is news again, however soon it comes.
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
    limited: (until, note, cause = "limit") =>
      state(
        encodeSignal({ kind: "limited", until: until?.getTime() ?? null, reason: cut(note, MAX_NOTE), ...of(cause) }),
      ),
    held: (id, reason) => write(encodeSignal({ kind: "held", id, reason: cut(reason, MAX_NOTE) })),
    waiting: (note) => state({ type: "status", state: "waiting", note: cut(note, MAX_NOTE) }),
    errored: (note) => state({ type: "status", state: "errored", note: cut(note, MAX_NOTE) }),
    ask: (question) => state(askLine(question)),
    unask: (id) => write(encodeSignal({ kind: "unasked", id })),
    usage: ({ model, ...used }) =>
      write(encodeSignal({ kind: "usage", ...used, ...(model === null ? {} : { model }) })),
    // Vendors send them with every step, mostly with the same numbers.
    windows: (windows) => {
      const line = encodeSignal({ kind: "windows", windows });
      if (windows.length === 0 || line === shownWindows) return;
      shownWindows = line;
      write(line);
    },
    done: (summary) => state({ type: "done", summary: cut(summary, MAX_NOTE) }),
  };
}

function of(cause: LimitCause): { readonly cause?: "outage" } {
  return cause === "outage" ? { cause } : {};
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}

// Room for the sentence that says how much is missing.
const ROOM = 200;

/**
 * The line that asks a question, complete; only what does not fit on a line is left out, and the end of the details
 * says how much.
 */
export function askLine({ kind: about, ...question }: Question): string {
  const asked: AskedSignal<string> = { kind: "asked", about, ...question };
  const line = encodeSignal(asked);
  const { detail } = asked;
  if (line.length <= MAX_LINE || detail == null) return line;
  const room = MAX_LINE - ROOM - encodeSignal({ ...asked, detail: { ...detail, text: "" } }).length;
  return encodeSignal({ ...asked, detail: { ...detail, text: keepBeginning(detail.text, room) } });
}

// By JSON length, where a control character takes six characters.
function keepBeginning(text: string, room: number): string {
  let kept = text.slice(0, Math.max(0, room));
  while (JSON.stringify(kept).length > room && kept !== "") {
    const ratio = room / JSON.stringify(kept).length;
    kept = kept.slice(0, Math.floor(kept.length * Math.min(ratio, 0.99)));
  }
  const whole = /[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept;
  return `${whole}\n\n[ao: ${text.length - whole.length} more characters did not fit and are not shown]`;
}
