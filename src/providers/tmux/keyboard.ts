import { randomUUID } from "node:crypto";
import { AoError, PluginError } from "../../core/errors.ts";
import type { Host } from "../../ports/host.ts";
import { poll } from "../../ports/poll.ts";
import type { TypingGuard } from "../../ports/runtime.ts";
import type { TmuxClient } from "./client.ts";
import { judgeTyping, type TerminalView, type TypingMemory } from "./guard.ts";

/** One terminal on our server. */
export interface Pane {
  readonly target: string;
  /** Its name in error messages. */
  readonly title: string;
  /** The file for the guard's memory. */
  readonly typing: string;
  /** The file with every byte that the terminal showed. */
  readonly shown: string;
}

export interface KeyboardTiming {
  /** Quiet time after a person's key. */
  readonly quietMs: number;
  /** How long the screen must be still between the paste and the Enter key. */
  readonly settleMs: number;
}

/** Types into terminals that people may be using too. */
export interface Keyboard {
  /** May automation type now? */
  guard(pane: Pane): Promise<TypingGuard>;
  /** Pastes text (bracketed) and presses Enter. */
  type(pane: Pane, text: string): Promise<void>;
  /** Presses keys by tmux's names for them, such as Escape. */
  press(pane: Pane, keys: readonly string[]): Promise<void>;
  /** Resolves when the screen is still, or after a few seconds. */
  still(pane: Pane): Promise<void>;
  /** The visible screen as plain text. */
  capture(pane: Pane): Promise<string>;
}

// A screen that never rests (a spinner) gets the Enter key after this time.
const MAX_SETTLE_MS = 3_000;

/** The keyboard for terminals on our tmux server. */
export function createKeyboard(host: Host, tmux: TmuxClient, timing: KeyboardTiming): Keyboard {
  return {
    guard: (pane) => guard(host, tmux, { timing, pane }),
    type: (pane, text) => type(host, tmux, { timing, pane, text }),
    press: (pane, keys) => press(tmux, pane, keys),
    still: (pane) => settle(host, pane, timing.settleMs),
    capture: async (pane) => {
      const answer = await tmux.run(["capture-pane", "-p", "-t", pane.target]);
      if (answer.code !== 0) throw missingTerminal(pane);
      return answer.stdout;
    },
  };
}

async function guard(
  host: Host,
  tmux: TmuxClient,
  { timing, pane }: { readonly timing: KeyboardTiming; readonly pane: Pane },
): Promise<TypingGuard> {
  const before = await readMemory(host, pane);
  const time = { now: Math.floor(host.clock.now() / 1000), quietSeconds: timing.quietMs / 1000 };
  const { guard, memory } = judgeTyping(await readView(host, tmux, pane), before, time);
  if (memory !== before) await host.fs.writeText(pane.typing, JSON.stringify(memory));
  return guard;
}

async function readMemory(host: Host, pane: Pane): Promise<TypingMemory> {
  const text = await host.fs.readText(pane.typing);
  return text === null ? { line: null, since: 0 } : (JSON.parse(text) as TypingMemory);
}

async function readView(host: Host, tmux: TmuxClient, pane: Pane): Promise<TerminalView | null> {
  const { target } = pane;
  const facts = "#{pane_dead} #{pane_in_mode} #{cursor_y} #{session_activity} #{session_last_attached}";
  const person = Number(await host.fs.readText(personFile(pane)));
  const answer = await tmux.run([
    ...["list-clients", "-t", target, "-F", "client #{client_readonly} #{client_created} #{client_activity}"],
    ...[";", "display-message", "-p", "-t", target, `pane ${facts}`],
    ...[";", "capture-pane", "-p", "-t", target],
  ]);
  const lines = answer.stdout.split("\n");
  const at = lines.findIndex((line) => line.startsWith("pane "));
  const [dead, mode, cursorY, activity, attached] = (lines[at] ?? "").split(" ").slice(1).map(Number);
  if (answer.code !== 0 || dead === undefined || cursorY === undefined) return null;
  return {
    isDead: dead !== 0,
    isScrolling: mode !== 0 && at > 0,
    clients: [
      ...lines.slice(0, at).map((line) => {
        const [isReadOnly, created, lastActivity] = line.split(" ").slice(1).map(Number);
        return { isReadOnly: isReadOnly === 1, created: created ?? 0, activity: lastActivity ?? 0 };
      }),
      // Keys from a viewer do not move tmux's clocks.
      ...(person > 0 ? [{ isReadOnly: false, created: 0, activity: person }] : []),
    ],
    sessionActivity: activity ?? 0,
    lastAttached: attached ?? 0,
    cursorLine: lines[at + 1 + cursorY] ?? "",
  };
}

function personFile({ typing }: Pane): string {
  return `${typing}.person`;
}

/** Records when a person pressed a key that tmux does not attribute to a person, in seconds. */
export async function notePerson(host: Host, pane: Pane, at: number): Promise<void> {
  await host.fs.writeText(personFile(pane), String(at));
}

/** When a person last typed at the terminal itself, in seconds; null: not since the last attachment. */
export async function readAttachment(tmux: TmuxClient, pane: Pane): Promise<number | null> {
  const format = "#{session_activity} #{session_last_attached}";
  const answer = await tmux.run(["display-message", "-p", "-t", pane.target, format]);
  if (answer.code !== 0) throw missingTerminal(pane);
  const [activity = 0, attached = 0] = answer.stdout.trim().split(" ").map(Number);
  return attached > 0 && activity > attached ? activity : null;
}

async function type(
  host: Host,
  tmux: TmuxClient,
  { timing, pane, text }: { readonly timing: KeyboardTiming; readonly pane: Pane; readonly text: string },
): Promise<void> {
  refuseControls(text);
  const memory = await readMemory(host, pane);
  await paste(tmux, pane, text);
  await settle(host, pane, timing.settleMs);
  const entered = await tmux.run(["send-keys", "-t", pane.target, "Enter"]);
  if (entered.code !== 0) {
    throw new PluginError({
      plugin: "tmux",
      category: "unknown-outcome",
      message: `The terminal of ${pane.title} ended between the text and the Enter key.`,
    });
  }
  const since = Math.floor(host.clock.now() / 1000);
  await host.fs.writeText(pane.typing, JSON.stringify({ line: memory.line, since }));
}

async function press(tmux: TmuxClient, pane: Pane, keys: readonly string[]): Promise<void> {
  const answer = await tmux.run(["send-keys", "-t", pane.target, ...keys]);
  if (answer.code !== 0) throw missingTerminal(pane);
}

// An escape sequence could end the bracketed paste (ESC [ 2 0 1 ~) and press keys of its own.
function refuseControls(text: string): void {
  const found = /[^\P{Cc}\n\t]/u.exec(text);
  if (found === null) return;
  const code = text.charCodeAt(found.index).toString(16).toUpperCase().padStart(4, "0");
  throw new AoError({
    code: "message-refused",
    message: `The message holds the control character U+${code}, which a terminal would take for a key.`,
    hint: "Send text with line breaks and tabs only.",
  });
}

// Line feeds are sent as carriage returns, as terminals do, pasted or not; a program that reads lines gets line feeds
// from the terminal driver. The server checks that the pane is alive and pastes in one step: a program that dies in
// between would take the whole server down (tmux 3.3a).
async function paste(tmux: TmuxClient, pane: Pane, text: string): Promise<void> {
  const { target } = pane;
  const buffer = `ao-${randomUUID()}`;
  const loaded = await tmux.run(["load-buffer", "-b", buffer, "-"], text);
  if (loaded.code !== 0) throw missingTerminal(pane);
  const pasted = await tmux.run([
    ...["has-session", "-t", target, ";", "copy-mode", "-q", "-t", target],
    ...[";", "display-message", "-p", "-t", target, "#{pane_dead}"],
    ...[";", "if-shell", "-F", "-t", target, "#{pane_dead}", `delete-buffer -b ${buffer}`],
    `paste-buffer -p -d -b ${buffer} -t "${target}"`,
  ]);
  if (pasted.code === 0 && pasted.stdout.trim() === "0") return;
  await tmux.run(["delete-buffer", "-b", buffer]);
  throw missingTerminal(pane);
}

// Agents treat an Enter that comes with a paste as part of it; they are done when the screen is still.
async function settle(host: Host, pane: Pane, settleMs: number): Promise<void> {
  let size = -1;
  let stillSince = host.clock.now();
  await poll(host.clock, { everyMs: 50, timeoutMs: Math.max(MAX_SETTLE_MS, settleMs) }, async () => {
    const now = (await host.fs.stat(pane.shown))?.size ?? 0;
    if (now !== size) stillSince = host.clock.now();
    size = now;
    return host.clock.now() - stillSince >= settleMs ? true : null;
  });
}

/** The terminal no longer exists. */
export function missingTerminal(pane: Pane): PluginError {
  return new PluginError({
    plugin: "tmux",
    code: "session-state",
    category: "not-found",
    message: `The terminal of ${pane.title} is gone, or its program has ended.`,
  });
}
