import { join } from "node:path";
import type { HostFs } from "../ports/host.ts";
import type { RunProbe } from "../ports/runtime.ts";
import { readLastWords } from "./last-words.ts";

/** How a run ended, in words: with the last words of a program that failed. */
export async function describeEnd(fs: HostFs, runDir: string, probe: RunProbe): Promise<string> {
  if (probe.kind !== "exited") return "evidence" in probe ? probe.evidence : "gone";
  const how = describeExit(probe.code);
  if (probe.code === 0 || probe.code > 128) return how;
  const words = await readLastWords(fs, join(runDir, "err"));
  return words === null ? how : `${how}: ${words}`;
}

/** How a process ended, in words: shells report a signal as 128 plus its number. */
export function describeExit(code: number): string {
  const signal = SIGNALS[code - 128];
  return signal === undefined ? `exit code ${code}` : `ended by ${signal}`;
}

const SIGNALS: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  6: "SIGABRT",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  15: "SIGTERM",
};
