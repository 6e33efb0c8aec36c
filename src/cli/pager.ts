import { spawn } from "node:child_process";
import { print } from "./print.ts";

/** An option of every command whose output may be long. */
export const NO_PAGER_OPTION = { type: "boolean", summary: "print it all instead of opening a pager" } as const;

export interface Screen {
  readonly isTTY: boolean;
  readonly rows: number;
}

/** The command line of the pager for a text; null: it fits, or nobody wants one. */
export function choosePager(
  text: string,
  screen: Screen,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  const isRefused = (env["NO_PAGER"] ?? "") !== "" || env["TERM"] === "dumb";
  if (!screen.isTTY || isRefused || text.split("\n").length <= screen.rows) return null;
  const chosen = env["AO_PAGER"] ?? env["PAGER"] ?? "less -FRX";
  return chosen === "" || chosen === "cat" ? null : chosen;
}

/** Prints a text, in a pager when it is longer than the terminal. */
export async function page(text: string, isRefused = false): Promise<void> {
  const { stdout } = process;
  const pager = isRefused ? null : choosePager(text, { isTTY: stdout.isTTY, rows: stdout.rows || 24 }, process.env);
  if (pager === null || !(await show(text, pager))) print(text);
}

/** Runs the pager to its end; false: there is no such program. One that is left early has shown enough. */
function show(text: string, pager: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn("sh", ["-c", pager], { stdio: ["pipe", "inherit", "inherit"] });
    // Ctrl+C is the pager's while it is open.
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
