import { join } from "node:path";
import type { Host } from "../../../../ports/host.ts";
import { countedMs } from "../../../../ports/poll.ts";
import { endRun, probeRun, startRun } from "../../../../providers/run-folder/run-folder.ts";

/** More output than this ends a command: a log must not fill the disk. */
export const MAX_LOG_BYTES = 64 * 1024 * 1024;

export const TICK_MS = 80;
const GRACE_MS = 1000;
// Both streams in one file, in the order they were written.
const SCRIPT = 'exec >>"$1" 2>&1; shift; exec "$@"';

/** A project command, held so that it survives the daemon. */
export interface HeldCommand {
  readonly runDir: string;
  readonly command: string;
  readonly cwd: string;
  readonly log: string;
  readonly intentId: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Absent: it runs as the user. */
  readonly enclose?: (argv: readonly string[], runDir: string) => Promise<readonly string[]>;
}

export type CommandEnd =
  | { readonly kind: "exited"; readonly code: number; readonly tookMs: number }
  | { readonly kind: "timed-out"; readonly tookMs: number }
  | { readonly kind: "too-much"; readonly tookMs: number }
  | { readonly kind: "unwanted" }
  /** Its processes are gone, and how they ended was not seen. */
  | { readonly kind: "gone" };

/** Was this command started, now or by a former daemon? */
export async function isBegun(host: Host, runDir: string): Promise<boolean> {
  return (await host.fs.stat(join(runDir, "lock"))) !== null;
}

/**
 * Runs a command, or waits for the one that a former daemon started in the same folder, until it is over or ended here.
 */
export async function runCommand(host: Host, command: HeldCommand, isWanted: () => boolean): Promise<CommandEnd> {
  const startedAt = await begin(host, command);
  const end = await awaitEnd(host, command, { startedAt, isWanted });
  // Said before anything is ended, so that a crash in between does not make it a failure of the command.
  if (end.kind !== "exited" && end.kind !== "gone") {
    await host.fs.writeText(join(command.runDir, "verdict"), end.kind);
  }
  // Even after it ended: processes it left in another session are ended here.
  await endRun(host, command, GRACE_MS);
  return end;
}

async function begin(host: Host, command: HeldCommand): Promise<number> {
  const { runDir, log, env, cwd, intentId } = command;
  const path = join(runDir, "started");
  if (!(await isBegun(host, runDir))) {
    await host.fs.makeDir(runDir, { mode: 0o700 });
    await host.fs.writeText(path, String(host.clock.now()));
    const own = ["sh", "-c", command.command];
    // The log is opened outside: a sandbox does not show it.
    const argv = ["/bin/sh", "-c", SCRIPT, "sh", log, ...((await command.enclose?.(own, runDir)) ?? own)];
    await startRun(host, { runDir, intentId, argv, cwd, env, input: "file", initialInput: "" }).catch(
      async (error: unknown) => {
        // It was started; the probe below will find out if it is already gone.
        if (!(await isBegun(host, runDir))) throw error;
      },
    );
  }
  return Number.parseInt((await host.fs.readText(path)) ?? "", 10) || host.clock.now();
}

/** When the command was started, as if the machine had not slept since, and when it was last probed. */
interface Timing {
  startedAt: number;
  probedAt: number;
}

interface Wait {
  readonly timing: Timing;
  readonly isWanted: () => boolean;
}

async function awaitEnd(
  host: Host,
  command: HeldCommand,
  { startedAt, isWanted }: { readonly startedAt: number; readonly isWanted: () => boolean },
): Promise<CommandEnd> {
  const { runDir, timeoutMs } = command;
  const timing: Timing = { startedAt, probedAt: host.clock.now() };
  let wake = (): void => undefined;
  let isWoken = false;
  const stop = host.fs.watch(runDir, () => {
    isWoken = true;
    wake();
  });
  try {
    for (;;) {
      isWoken = false;
      const end = await findEnd(host, command, { timing, isWanted });
      if (end !== null) return end;
      // Changes during the probe would otherwise be noticed one tick later.
      if (isWoken) continue;
      const pause = Math.max(1, Math.min(TICK_MS, timing.startedAt + timeoutMs - host.clock.now()));
      await new Promise<void>((resolve) => {
        const cancel = host.clock.after(pause, resolve);
        wake = () => {
          cancel();
          resolve();
        };
      });
    }
  } finally {
    stop();
  }
}

/** How the command ended, or why it must end; null: it may run on. */
async function findEnd(host: Host, command: HeldCommand, { timing, isWanted }: Wait): Promise<CommandEnd | null> {
  const { runDir, log, timeoutMs } = command;
  const tookMs = (): number => host.clock.now() - timing.startedAt;
  const verdict = await host.fs.readText(join(runDir, "verdict"));
  if (verdict === "timed-out" || verdict === "too-much") return { kind: verdict, tookMs: tookMs() };
  // It was being ended, and now it is wanted again.
  if (verdict === "unwanted") return { kind: "gone" };
  const seen = await probeRun(host, command);
  if (seen.kind === "exited") {
    return { kind: "exited", code: seen.code, tookMs: await durationOf(host, runDir, timing.startedAt) };
  }
  if (seen.kind === "gone") return { kind: "gone" };
  if (!isWanted()) return { kind: "unwanted" };
  await leaveOutSleep(host, command, timing);
  if (tookMs() >= timeoutMs) return { kind: "timed-out", tookMs: tookMs() };
  if (((await host.fs.stat(log))?.size ?? 0) > MAX_LOG_BYTES) return { kind: "too-much", tookMs: tookMs() };
  return null;
}

// While the machine slept, so did the command. Recorded, so that a later daemon leaves it out too.
async function leaveOutSleep(host: Host, { runDir }: HeldCommand, timing: Timing): Promise<void> {
  const now = host.clock.now();
  const clockMs = now - timing.probedAt;
  const sleptMs = clockMs - countedMs(clockMs, TICK_MS);
  timing.probedAt = now;
  if (sleptMs === 0) return;
  timing.startedAt += sleptMs;
  // A full disk must not end the command.
  await host.fs.writeText(join(runDir, "started"), String(timing.startedAt)).catch(() => undefined);
}

// By file times, because it may have ended while no daemon was running.
async function durationOf(host: Host, runDir: string, startedAt: number): Promise<number> {
  const exit = await host.fs.stat(join(runDir, "exit"));
  return Math.max(0, Math.round((exit?.mtimeMs ?? startedAt) - startedAt));
}
