import { existsSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AoError } from "../core/errors.ts";
import { runtimeOfRun } from "../core/session/state.ts";
import { OUTPUT_FILES } from "../engine/bound-output.ts";
import { pause } from "../ports/poll.ts";
import type { HomePaths } from "../protocol/home.ts";
import type { Kernel } from "./kernel.ts";

const RESERVE_BYTES = 1024 * 1024;
/** With less free space than this, the reserve itself would fill the disk. */
const ROOM_BYTES = 16 * RESERVE_BYTES;
const RETRY_MS = 500;
const RETRIES = 20;
/** How long an agent has to end by itself. */
const GRACE_MS = 2000;
const KEEP_BYTES = RESERVE_BYTES;

/** Reserves disk space, so that sessions can be ended while the disk is full; the daemon also starts without it. */
export function fillReserve(paths: Pick<HomePaths, "reserve">): void {
  if (existsSync(paths.reserve)) return;
  try {
    const { bavail, bsize } = statfsSync(dirname(paths.reserve));
    if (bavail * bsize < ROOM_BYTES) return;
    // Zeros would take no space on some file systems.
    writeFileSync(paths.reserve, Buffer.alloc(RESERVE_BYTES, "reserve "), { mode: 0o600 });
  } catch {
    rmSync(paths.reserve, { force: true });
  }
}

/**
 * Stops a session even on a full disk. Its agent may be what fills it, so it is ended first, which needs no space; then
 * its output and the reserve are freed, and the stop is retried for a while. If the stop fits, the engine does the rest,
 * but it waits for a start to be recorded, which may not fit.
 */
export async function stopSession(
  kernel: Pick<Kernel, "engine" | "host" | "paths" | "plugins" | "runDir">,
  sessionId: string,
  { reason, key }: { readonly reason: string; readonly key?: string | undefined },
): Promise<void> {
  const stop = async (): Promise<AoError | null> => {
    try {
      await kernel.engine.submit({ input: { type: "session.stop", sessionId, reason }, key });
      return null;
    } catch (error) {
      if (error instanceof AoError && error.code === "disk-full") return error;
      throw error;
    }
  };
  const { loop } = kernel.engine;
  const wasFull = loop.trouble()?.code === "disk-full";
  let failure = await stop();
  const isStarting = loop.world.view.session(sessionId)?.run.state === "starting";
  if (failure === null && !(wasFull && isStarting)) return;
  await endAgent(kernel, sessionId);
  rmSync(kernel.paths.reserve, { force: true });
  if (failure !== null) failure = await stop();
  for (let tries = 0; failure !== null && tries < RETRIES; tries += 1) {
    await pause(kernel.host.clock, RETRY_MS);
    failure = await stop();
  }
  if (failure !== null) throw notRecorded(failure, sessionId);
}

async function endAgent(
  { engine, host, plugins, runDir: folderOf }: Pick<Kernel, "engine" | "host" | "plugins" | "runDir">,
  sessionId: string,
): Promise<void> {
  const session = engine.loop.world.view.session(sessionId);
  // It may have started on a disk that was too full to record it.
  if (session === undefined || !["starting", "alive"].includes(session.run.state)) return;
  const run = session.run.n;
  const runDir = folderOf(sessionId, run);
  await plugins.get("runtime", runtimeOfRun(session), "").end({ sessionId, run, runDir }, GRACE_MS);
  for (const name of OUTPUT_FILES) {
    const path = join(runDir, name);
    const size = (await host.fs.stat(path))?.size ?? 0;
    if (size > KEEP_BYTES) await host.fs.freeStart(path, size - KEEP_BYTES);
  }
}

function notRecorded(cause: AoError, sessionId: string): AoError {
  return new AoError({
    code: "disk-full",
    message: `The agent of ${sessionId} was ended, but the disk is full, so the session could not be recorded as stopped.`,
    hint: `Free some space, then run \`ao stop ${sessionId}\` again.`,
    cause,
  });
}
