import { setTimeout as pause } from "node:timers/promises";
import type { Prompt } from "../../../driver.ts";
import type { Screen } from "../../../screen.ts";

/** Types prompts into the program's input line, when it is there and nobody else uses it. */
export interface Typist {
  type(prompt: Prompt): void;
  /** The program took a prompt; true when it is the one that was typed. */
  took(text: string): boolean;
  stop(): void;
}

export interface TypistOptions {
  readonly screen: Screen;
  /** Something else must come first, such as a turn that a person began. */
  isBusy(): boolean;
  /** About to be typed, in these words. */
  onTyping(id: string, text: string): void;
  onHeld(id: string, reason: string): void;
  onFailed(error: unknown): void;
}

const LOOK_MS = 1000;
/** The program says within moments that it took a prompt; otherwise it may have missed the Enter key. */
const TAKEN_MS = 5000;
const NUDGES = 2;
/** What the program makes of one in its input line. */
const TAB = "    ";

/** Makes the typist. Nothing is typed twice: what the program did not take waits for a person. */
export function createTypist(options: TypistOptions): Typist {
  const { screen } = options;
  let waiting: { readonly id: string; readonly text: string } | null = null;
  let isStopped = false;

  const findObstacle = async (): Promise<string | null> => {
    if (options.isBusy()) return "The agent is at work on what a person asked for.";
    if (readInput(await screen.capture()) === null) return "The program shows something else than its input line.";
    const guard = await screen.guard();
    return guard.kind === "free" ? null : guard.reason;
  };

  const untilFree = async (id: string): Promise<void> => {
    let told: string | null = null;
    while (!isStopped) {
      const obstacle = await findObstacle();
      if (obstacle === null) return;
      if (obstacle !== told) options.onHeld(id, obstacle);
      told = obstacle;
      await pause(LOOK_MS);
    }
  };

  const typeOne = async (id: string, text: string): Promise<void> => {
    await untilFree(id);
    if (isStopped) return;
    options.onTyping(id, text);
    waiting = { id, text };
    await screen.type(text);
    for (let nudge = 0; nudge < NUDGES; nudge += 1) {
      if (await isTaken(id)) return;
      const guard = await screen.guard();
      if (guard.kind === "free") await screen.press("Enter");
    }
    if (!(await isTaken(id)) && !isStopped) {
      options.onHeld(id, "It was typed, and the program has not taken it; look at its terminal.");
    }
  };

  const isTaken = async (id: string): Promise<boolean> => {
    for (let waited = 0; waited < TAKEN_MS && !isStopped; waited += 100) {
      if (waiting?.id !== id) return true;
      await pause(100);
    }
    return isStopped;
  };

  return {
    type: ({ id, text }) => void typeOne(id, asTyped(text)).catch(options.onFailed),
    took: (text) => {
      if (waiting === null || !text.includes(waiting.text)) return false;
      waiting = null;
      return true;
    },
    stop: () => {
      isStopped = true;
    },
  };
}

/** A text as it is typed: no keys in it, and at its start nothing that the program takes for a command. */
export function asTyped(text: string): string {
  const plain = text
    .replaceAll("\r\n", "\n")
    .replaceAll("\t", TAB)
    .replace(/[^\P{Cc}\n\t]/gu, "\ufffd")
    .trim();
  return /^[/!#&]/.test(plain) ? `Message: ${plain}` : plain;
}

/** What stands in the program's input line; null: it is not shown. A choice of a dialog has the same sign before a number. */
export function readInput(screen: string): string | null {
  const line = /[─━]{10,}[^\n]*\n\s*[❯>](?!\s*\d+\.)([^\n]*)/u.exec(screen)?.[1];
  return line === undefined ? null : line.replaceAll("\u00a0", " ").trim();
}
