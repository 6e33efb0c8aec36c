import { spawn } from "node:child_process";
import { print } from "./print.ts";
import { forTerminal } from "./terminal-text.ts";

/** An option of every command with potentially long output. */
export const NO_PAGER_OPTION = { type: "boolean", summary: "print it all instead of opening a pager" } as const;

export interface Screen {
  readonly isTTY: boolean;
  readonly rows: number;
}

const FROM_THE_TOP = "less -FRX";

/** The pager for a text whose end matters most, such as a conversation. */
export const FROM_THE_END = "less -FRX +G";

export interface PagerChoice {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** For users who have not chosen one. */
  readonly fallback?: string;
}

/** The pager command for a text; null: it fits, or the user wants none. */
export function choosePager(
  text: string,
  screen: Screen,
  { env, fallback = FROM_THE_TOP }: PagerChoice,
): string | null {
  const isRefused = (env["NO_PAGER"] ?? "") !== "" || env["TERM"] === "dumb";
  if (!screen.isTTY || isRefused || text.split("\n").length <= screen.rows) return null;
  const chosen = env["AO_PAGER"] ?? env["PAGER"] ?? fallback;
  return chosen === "" || chosen === "cat" ? null : chosen;
}

/** Prints a text, in a pager if it is longer than the terminal. */
export async function page(text: string, isRefused = false, fallback: string = FROM_THE_TOP): Promise<void> {
  const screen = { isTTY: process.stdout.isTTY, rows: process.stdout.rows || 24 };
  const pager = isRefused ? null : choosePager(text, screen, { env: process.env, fallback });
  if (pager === null || !(await show(forTerminal(text), pager))) print(text);
}

/** Runs the pager to its end; false: no such program. A pager that is closed early is fine. */
function show(text: string, pager: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn("sh", ["-c", pager], { stdio: ["pipe", "inherit", "inherit"] });
    // Ctrl+C belongs to the pager while it is open.
    const ignore = (): void => undefined;
    process.on("SIGINT", ignore);
    child.stdin.on("error", ignore);
    child.on("error", () => resolve(false));
    child.on("close", (code) => {
      process.off("SIGINT", ignore);
      resolve(code !== 126 && code !== 127);
    });
    child.stdin.end(text.endsWith("\n") ? text : `${text}\n`);
  });
}
