import { createSystemClock } from "../../../../platform/clock.ts";
import { pause, pollUntil } from "../../../../ports/poll.ts";
import type { Prompt } from "../../../driver.ts";
import type { Screen } from "../../../screen.ts";

/** What typing depends on besides the screen. */
export interface TypistOptions {
  readonly screen: Screen;
  isStopped(): boolean;
  /** Something else must finish first, such as a turn that a person started. */
  isBusy(): boolean;
  /** Called before typing, with the text. */
  onTyping(id: string, text: string): void;
  isTaken(id: string): boolean;
  onHeld(id: string, reason: string): void;
}

const clock = createSystemClock();
const OBSTACLE_MS = 1000;
/** The program reports within moments that it took a prompt; otherwise it may have missed the Enter key. */
const TAKEN = { everyMs: 100, timeoutMs: 5000 };
const NUDGES = 2;
const ESCAPES = 3;
const ESCAPE_MS = 2500;
const KEY_MS = 200;
/** What the program turns a tab in its input line into. */
const TAB = "    ";

/**
 * Types a prompt into the program's input line, when that is visible and nobody else uses it. Types nothing twice: a
 * prompt that the program did not take waits for a person.
 */
export async function typePrompt(options: TypistOptions, { id, text: given }: Prompt): Promise<void> {
  const { screen } = options;
  const text = asTyped(given);
  await waitUntilFree(options, id);
  if (options.isStopped()) return;
  options.onTyping(id, text);
  await screen.type(text);
  for (let nudge = 0; nudge < NUDGES; nudge += 1) {
    if (await isTaken(options, id)) return;
    if ((await screen.guard()).kind === "free") await screen.press("Enter");
  }
  if (await isTaken(options, id)) return;
  options.onHeld(id, "It was typed, but the program has not accepted it; check its terminal.");
}

async function waitUntilFree(options: TypistOptions, id: string): Promise<void> {
  let reported: string | null = null;
  while (!options.isStopped()) {
    const obstacle = await findObstacle(options);
    if (obstacle === null) return;
    if (obstacle !== reported) options.onHeld(id, obstacle);
    reported = obstacle;
    await pause(clock, OBSTACLE_MS);
  }
}

async function findObstacle({ screen, isBusy }: TypistOptions): Promise<string | null> {
  if (isBusy()) return "The agent is working on a person's request.";
  if (readInput(await screen.capture()) === null) return "The program is not showing its input line.";
  const guard = await screen.guard();
  return guard.kind === "free" ? null : guard.reason;
}

function isTaken(options: TypistOptions, id: string): Promise<boolean> {
  return pollUntil(clock, TAKEN, () => options.isStopped() || options.isTaken(id));
}

/**
 * Interrupts a turn. The program may miss a key while it is busy, so it is pressed again; on an idle program two of
 * them would open a menu.
 */
export async function pressEscape(screen: Screen, isOver: () => boolean): Promise<void> {
  for (let press = 0; press < ESCAPES && !isOver(); press += 1) {
    await screen.press("Escape");
    await pause(clock, ESCAPE_MS);
  }
}

/** Clears a prompt from the input line: interrupting a turn before its first output puts the prompt back there. */
export async function clearInput(screen: Screen, typed: string): Promise<void> {
  const firstLine = typed.split("\n")[0]?.slice(0, 40) ?? "";
  if (firstLine === "" || !readInput(await screen.capture())?.startsWith(firstLine)) return;
  if ((await screen.guard()).kind !== "free") return;
  // Together they would be read as one key with Alt.
  await screen.press("Escape");
  await pause(clock, KEY_MS);
  await screen.press("Escape");
  await screen.still();
}

/** A text for typing: without keys in it, and at its start nothing that the program takes for a command. */
export function asTyped(text: string): string {
  const plain = text
    .replaceAll("\r\n", "\n")
    .replaceAll("\t", TAB)
    .replace(/[^\P{Cc}\n\t]/gu, "\ufffd")
    .trim();
  return /^[/!#&]/.test(plain) ? `Message: ${plain}` : plain;
}

/**
 * The content of the program's input line; null if it is not visible. A choice in a dialog has the same character
 * before a number.
 */
export function readInput(screen: string): string | null {
  const line = /[─━]{10,}[^\n]*\n\s*[❯>](?!\s*\d+\.)([^\n]*)/u.exec(screen)?.[1];
  return line === undefined ? null : line.replaceAll("\u00a0", " ").trim();
}
