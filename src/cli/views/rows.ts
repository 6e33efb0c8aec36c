import { fstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isatty } from "node:tty";
import type { HomePaths } from "../../protocol/home.ts";

/** A list that was printed longer ago is forgotten. */
const MAX_AGE_MS = 12 * 3_600_000;

/** One terminal: its device, and its current user. */
export interface Terminal {
  readonly device: string;
  readonly user: string;
}

interface Printed {
  readonly user: string;
  readonly at: number;
  readonly ids: readonly string[];
}

/** Saves the ids of a list just printed on a terminal, so that a row means the same until the next list. */
export function rememberRows(paths: Pick<HomePaths, "cache">, ids: readonly string[], terminal = findTerminal()): void {
  if (terminal === null) return;
  const printed: Printed = { user: terminal.user, at: Date.now(), ids };
  try {
    mkdirSync(join(paths.cache, "rows"), { recursive: true, mode: 0o700 });
    const file = fileOf(paths, terminal);
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(printed), { mode: 0o600 });
    renameSync(`${file}.${process.pid}`, file);
  } catch {
    // The list was still printed.
  }
}

/** The ids of the list last printed on this terminal, or an empty list. */
export function recallRows(paths: Pick<HomePaths, "cache">, terminal = findTerminal()): readonly string[] {
  if (terminal === null) return [];
  try {
    const printed = JSON.parse(readFileSync(fileOf(paths, terminal), "utf8")) as Printed;
    const isFresh = printed.user === terminal.user && Date.now() - printed.at < MAX_AGE_MS;
    return isFresh ? printed.ids : [];
  } catch {
    return [];
  }
}

function fileOf(paths: Pick<HomePaths, "cache">, terminal: Terminal): string {
  return join(paths.cache, "rows", `${terminal.device}.json`);
}

function findTerminal(): Terminal | null {
  try {
    // A closed terminal's number is reused; the shell that leads its session is not.
    const fields = readFileSync("/proc/self/stat", "latin1")
      .replace(/^.*\) /s, "")
      .split(" ");
    const [, , , session = "", device = "0"] = fields;
    return device === "0" ? null : { device, user: session };
  } catch {
    const open = [0, 1, 2].find((descriptor) => isatty(descriptor));
    return open === undefined ? null : { device: String(fstatSync(open).rdev), user: "" };
  }
}
