/**
 * May automation type into a terminal that a person may be using as well?
 *
 * Wait, in this order, when
 * 1. the session is missing or its program is dead (a paste into a dead pane crashes tmux 3.3a with every session);
 * 2. somebody is attached and scrolls (copy mode would swallow the Enter key);
 * 3. an attached client that may write pressed a key in the last 15 s;
 * 4. a person typed since the last time the terminal was known to be free, and the cursor's line is neither what it
 *    was then nor an empty prompt: it may hold a half-typed line, to which a paste would be appended.
 *
 * "Typed" is read from tmux's clocks, which have whole seconds: a client's activity after its creation, or the
 * session's activity after its last attachment (this one outlives the client, so a draft is seen after a detach too).
 * Attaching and watching is not typing. Automation's own keys do not move these clocks. Where a rule cannot be sure
 * it says wait: a message that comes late is better than one glued to a person's words.
 */
import type { TypingGuard } from "../../ports/runtime.ts";

interface TerminalClient {
  /** Seconds since the epoch, like all times here. */
  readonly created: number;
  readonly activity: number;
  readonly isReadOnly: boolean;
}

export interface TerminalView {
  readonly isDead: boolean;
  readonly isScrolling: boolean;
  readonly clients: readonly TerminalClient[];
  readonly sessionActivity: number;
  /** 0: never attached. */
  readonly lastAttached: number;
  readonly cursorLine: string;
}

/** The cursor's line when the terminal was last known to be free, and the time since which a person's keys count. */
export interface TypingMemory {
  readonly line: string | null;
  readonly since: number;
}

export interface Judgment {
  readonly guard: TypingGuard;
  readonly memory: TypingMemory;
}

/** Applies the rules above to tmux's facts. */
export function judgeTyping(
  view: TerminalView | null,
  memory: TypingMemory,
  time: { readonly now: number; readonly quietSeconds: number },
): Judgment {
  const wait = (reason: string): Judgment => ({ guard: { kind: "wait", reason }, memory });
  if (view === null) return wait("The terminal is gone.");
  if (view.isDead) return wait("The program in the terminal has ended.");
  if (view.isScrolling && view.clients.length > 0) return wait("A person is scrolling in the terminal.");
  const writers = view.clients.filter((client) => !client.isReadOnly && client.activity > client.created);
  if (writers.some((client) => time.now - client.activity < time.quietSeconds)) {
    return wait("A person is typing in the terminal.");
  }
  const hasTyped = writers.some((client) => client.activity >= memory.since) || typedBeforeDetach(view, memory.since);
  if (hasTyped && view.cursorLine !== memory.line && !isEmptyPrompt(view.cursorLine)) {
    return wait("The terminal may hold a half-typed line.");
  }
  const isSame = !hasTyped && view.cursorLine === memory.line;
  return { guard: { kind: "free" }, memory: isSame ? memory : { line: view.cursorLine, since: time.now } };
}

function typedBeforeDetach(view: TerminalView, since: number): boolean {
  return view.lastAttached > 0 && view.sessionActivity > view.lastAttached && view.sessionActivity >= since;
}

/** Does a line show nothing but a prompt and the frame of an input box? */
export function isEmptyPrompt(line: string): boolean {
  return /^[\s│┃║|>❯›»➜$%#▌█▏_─-]*$/u.test(line);
}
