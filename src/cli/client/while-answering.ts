import { readFileSync } from "node:fs";
import { AoError } from "../../core/errors.ts";
import type { DaemonFile } from "../../protocol/daemon-file.ts";
import type { HomePaths } from "../../protocol/home.ts";
import { codeOf, exchange } from "./http.ts";

/** A suspended daemon is reported after the first silence; any other may be waiting for the CPU. */
const ANSWER_MS = [3000, 17_000];
const PROBE_MS = 2000;

/** Waits for an answer as long as the daemon proves that it is alive; reports a hanging one, with the fix. */
export async function whileAnswering<T>(paths: HomePaths, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const leaving = new AbortController();
  const answer = ask(leaving.signal);
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<never>((_, reject) => {
    const look = async (): Promise<void> => {
      const isHung = await isSilent(paths, { signal: leaving.signal });
      // The answer arrived meanwhile: another probe would keep this process alive.
      if (leaving.signal.aborted) return;
      if (isHung) reject(silent(paths));
      else timer = setTimeout(look, PROBE_MS);
    };
    timer = setTimeout(look, PROBE_MS);
  });
  hung.catch(() => undefined);
  try {
    return await Promise.race([answer, hung]);
  } finally {
    clearTimeout(timer);
    answer.catch(() => undefined);
    leaving.abort();
  }
}

/** Does a process listen without answering? */
export async function isSilent(
  paths: HomePaths,
  options: { readonly signal?: AbortSignal; readonly answerMs?: readonly number[] } = {},
): Promise<boolean> {
  const { answerMs = ANSWER_MS, ...more } = options;
  for (const timeoutMs of answerMs) {
    try {
      await exchange({ socket: paths.socket, method: "GET", path: "/healthz", timeoutMs, ...more });
      return false;
    } catch (error) {
      if (codeOf(error) !== "ETIMEDOUT") return false;
      if (isSuspended(readPid(paths))) return true;
    }
  }
  return true;
}

/** Was this process stopped by a signal? Only Linux reports that without starting a program. */
function isSuspended(pid: number | null): boolean {
  try {
    return /^\d+ \(.*\) [Tt] /s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** The error for a hanging daemon. */
export function silent(paths: HomePaths): AoError {
  const pid = readPid(paths);
  const who = pid === null ? "the daemon" : `the daemon (pid ${pid})`;
  const how = pid === null ? "end it" : `\`kill -CONT ${pid}\` if it was suspended, else \`kill -9 ${pid}\``;
  return new AoError({
    code: "daemon-unreachable",
    message: `${who} runs but does not answer`,
    data: { isBusy: !isSuspended(pid) },
    hint: `${how}, then \`ao start\`; agents keep running and nothing is lost. ${paths.log} shows its last output.`,
  });
}

/** Is this the error for a daemon that does not answer, though nobody suspended it? */
export function isBusy(error: unknown): boolean {
  return error instanceof AoError && error.data?.["isBusy"] === true;
}

/** The daemon's process, as it last said itself. */
export function readPid(paths: Pick<HomePaths, "daemon">): number | null {
  try {
    return (JSON.parse(readFileSync(paths.daemon, "utf8")) as DaemonFile).pid;
  } catch {
    return null;
  }
}
