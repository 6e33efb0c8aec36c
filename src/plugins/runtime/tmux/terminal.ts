import { randomUUID } from "node:crypto";
import { AoError, PluginError } from "../../../core/errors.ts";
import type { Host } from "../../../ports/host.ts";
import type { RunRef, TerminalControl, TypingGuard } from "../../../ports/runtime.ts";
import type { TmuxClient } from "./client.ts";
import { judgeTyping, type TerminalView, type TypingMemory } from "./guard.ts";
import { exactTarget, nameTmuxSession } from "./names.ts";
import { runFiles } from "./run-folder.ts";
import { waitUntil } from "./wait-until.ts";

export interface TerminalTiming {
  /** Quiet time after a person's key. */
  readonly quietMs: number;
  /** How long the screen has to be still between the paste and the Enter key. */
  readonly settleMs: number;
}

// A screen that never rests (a spinner) gets its Enter key after this time.
const MAX_SETTLE_MS = 3_000;

/** Typing into, reading and attaching to the terminals of runs. */
export function createTerminal(host: Host, tmux: TmuxClient, timing: TerminalTiming): TerminalControl {
  return {
    guard: (ref) => guard(host, tmux, timing, ref),
    type: (ref, text) => type(host, tmux, timing, ref, text),
    attachCommand: (ref) => ({
      program: "env",
      // tmux refuses to nest while these are set.
      args: ["-u", "TMUX", "-u", "TMUX_PANE", "tmux", "-u", "-S", tmux.socket.path, "attach", "-t", targetOf(ref)],
    }),
    capture: async (ref) => {
      const answer = await tmux.run(["capture-pane", "-p", "-t", targetOf(ref)]);
      if (answer.code !== 0) throw missingTerminal(ref);
      return answer.stdout;
    },
  };
}

function targetOf(ref: RunRef): string {
  return exactTarget(nameTmuxSession(ref));
}

async function guard(host: Host, tmux: TmuxClient, timing: TerminalTiming, ref: RunRef): Promise<TypingGuard> {
  const before = await readMemory(host, ref);
  const time = { now: Math.floor(host.clock.now() / 1000), quietSeconds: timing.quietMs / 1000 };
  const { guard, memory } = judgeTyping(await readView(tmux, ref), before, time);
  if (memory !== before) await host.fs.writeText(runFiles(ref.runDir).typing, JSON.stringify(memory));
  return guard;
}

async function readMemory(host: Host, ref: RunRef): Promise<TypingMemory> {
  const text = await host.fs.readText(runFiles(ref.runDir).typing);
  return text === null ? { line: null, since: 0 } : (JSON.parse(text) as TypingMemory);
}

async function readView(tmux: TmuxClient, ref: RunRef): Promise<TerminalView | null> {
  const target = targetOf(ref);
  const facts = "#{pane_dead} #{pane_in_mode} #{cursor_y} #{session_activity} #{session_last_attached}";
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
    isScrolling: mode !== 0,
    clients: lines.slice(0, at).map((line) => {
      const [isReadOnly, created, lastActivity] = line.split(" ").slice(1).map(Number);
      return { isReadOnly: isReadOnly === 1, created: created ?? 0, activity: lastActivity ?? 0 };
    }),
    sessionActivity: activity ?? 0,
    lastAttached: attached ?? 0,
    cursorLine: lines[at + 1 + cursorY] ?? "",
  };
}

async function type(host: Host, tmux: TmuxClient, timing: TerminalTiming, ref: RunRef, text: string): Promise<void> {
  refuseControls(text);
  const memory = await readMemory(host, ref);
  await paste(tmux, ref, text);
  await settle(host, ref, timing.settleMs);
  const entered = await tmux.run(["send-keys", "-t", targetOf(ref), "Enter"]);
  if (entered.code !== 0) {
    throw new PluginError({
      plugin: "tmux",
      category: "unknown-outcome",
      message: `The terminal of ${ref.sessionId} ended between the text and the Enter key.`,
    });
  }
  const since = Math.floor(host.clock.now() / 1000);
  await host.fs.writeText(runFiles(ref.runDir).typing, JSON.stringify({ line: memory.line, since }));
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

// Line feeds go as carriage returns, which is what terminals send for them, pasted or not; a program that reads
// lines gets line feeds from the terminal driver. The server itself looks whether the pane is dead and pastes in one
// step: a program that dies in between would take the whole server with it (tmux 3.3a).
async function paste(tmux: TmuxClient, ref: RunRef, text: string): Promise<void> {
  const target = targetOf(ref);
  const buffer = `ao-${randomUUID()}`;
  const loaded = await tmux.run(["load-buffer", "-b", buffer, "-"], text);
  if (loaded.code !== 0) throw missingTerminal(ref);
  const pasted = await tmux.run([
    ...["has-session", "-t", target, ";", "copy-mode", "-q", "-t", target],
    ...[";", "display-message", "-p", "-t", target, "#{pane_dead}"],
    ...[";", "if-shell", "-F", "-t", target, "#{pane_dead}", `delete-buffer -b ${buffer}`],
    `paste-buffer -p -d -b ${buffer} -t "${target}"`,
  ]);
  if (pasted.code === 0 && pasted.stdout.trim() === "0") return;
  await tmux.run(["delete-buffer", "-b", buffer]);
  throw missingTerminal(ref);
}

// Agents take an Enter that comes with a paste for a part of it; they are done when the screen is still.
async function settle(host: Host, ref: RunRef, settleMs: number): Promise<void> {
  const { out } = runFiles(ref.runDir);
  let size = -1;
  let stillSince = host.clock.now();
  await waitUntil(host.clock, { everyMs: 50, timeoutMs: Math.max(MAX_SETTLE_MS, settleMs) }, async () => {
    const now = (await host.fs.stat(out))?.size ?? 0;
    if (now !== size) stillSince = host.clock.now();
    size = now;
    return host.clock.now() - stillSince >= settleMs ? true : null;
  });
}

function missingTerminal(ref: RunRef): PluginError {
  return new PluginError({
    plugin: "tmux",
    code: "session-state",
    category: "not-found",
    message: `The terminal of ${ref.sessionId} (run ${ref.run}) is gone, or its program has ended.`,
  });
}
