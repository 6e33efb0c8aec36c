import { spawn } from "node:child_process";
import { z } from "zod";
import { AoError } from "../core/errors.ts";
import { createNodeHost } from "../platform/host.ts";
import { createSilentLog } from "../platform/log.ts";
import type { TypingGuard } from "../ports/runtime.ts";
import { createTmuxClient } from "../providers/tmux/client.ts";
import { createKeyboard } from "../providers/tmux/keyboard.ts";

/** The terminal that the bridge runs in, for the vendor's own interface. */
export interface Screen {
  /** Runs a program on the terminal; it owns keyboard and screen until it ends. */
  run(spec: ScreenSpec): ScreenChild;
  /** May automation type now? A person may be typing, or have left half a line. */
  guard(): Promise<TypingGuard>;
  /** Pastes text and presses Enter. */
  type(text: string): Promise<void>;
  /** Presses keys by tmux's names for them. */
  press(...keys: readonly string[]): Promise<void>;
  /** Resolves when the screen has been still for a moment, or after a few seconds. */
  still(): Promise<void>;
  /** The visible screen as plain text. */
  capture(): Promise<string>;
}

export interface ScreenSpec {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface ScreenChild {
  readonly pid: number | undefined;
  /** How it ended, in a few words, and with which code. */
  readonly ended: Promise<{ readonly how: string; readonly code: number | null }>;
  /** Asks it to end, and kills it after the grace period. Never rejects. */
  end(graceMs: number): Promise<void>;
}

const Place = z.object({
  inbox: z.string(),
  outbox: z.string(),
  socket: z.string(),
  pane: z.object({ target: z.string(), title: z.string(), typing: z.string(), shown: z.string() }),
  timing: z.object({ quietMs: z.number(), settleMs: z.number() }),
});
/** Where a bridge in a terminal finds its files and the terminal itself; the runtime passes it in AO_SCREEN. */
export type ScreenPlace = z.infer<typeof Place>;

/** Parses AO_SCREEN. */
export function readScreenPlace(value: string): ScreenPlace {
  try {
    return Place.parse(JSON.parse(value));
  } catch (cause) {
    throw new AoError({ code: "usage", message: "AO_SCREEN does not describe a terminal.", cause });
  }
}

/** The terminal at a place. */
export function createScreen({ socket, pane, timing }: ScreenPlace): Screen {
  const host = createNodeHost({ log: createSilentLog() });
  const keyboard = createKeyboard(host, createTmuxClient(host, socket), timing);
  return {
    run,
    guard: () => keyboard.guard(pane),
    type: (text) => keyboard.type(pane, text),
    press: (...keys) => keyboard.press(pane, keys),
    still: () => keyboard.still(pane),
    capture: () => keyboard.capture(pane),
  };
}

// In the terminal's foreground group, so that it can read keys and gets the signal when the size changes.
function run({ program, args, cwd, env }: ScreenSpec): ScreenChild {
  const child = spawn(program, [...args], { cwd, env: { ...env }, stdio: "inherit" });
  const ended = new Promise<{ readonly how: string; readonly code: number | null }>((resolve) => {
    child.on("error", (error) => resolve({ how: `could not be started: ${error.message}`, code: null }));
    child.on("exit", (code, signal) =>
      resolve({ how: signal === null ? `exit code ${code}` : `ended by ${signal}`, code }),
    );
  });
  return {
    pid: child.pid,
    ended,
    end: async (graceMs) => {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
      await ended;
      clearTimeout(timer);
    },
  };
}
