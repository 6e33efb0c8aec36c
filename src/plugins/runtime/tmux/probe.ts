import type { Host } from "../../../ports/host.ts";
import { poll } from "../../../ports/poll.ts";
import type { RunProbe, RunRef } from "../../../ports/runtime.ts";
import { isAlive, type RunFiles, readNumber, readProcesses, runFiles } from "./run-folder.ts";

/** A terminal that has not started its program after this time never will. */
export const START_MS = 10_000;
// How long a wrapper may take to write the exit code of a program that is gone.
const RECORD_MS = 2_000;

/** The state of a run, from its files and the process table; starts no process. */
export async function probeRun(host: Host, ref: RunRef): Promise<RunProbe> {
  const files = runFiles(ref.runDir);
  const recorded = await readRecord(host, files);
  if (recorded !== null) return recorded;
  if ((await readNumber(host, files.pid)) === null) return await probeUnstarted(host, files);
  const { program, wrapper } = await readProcesses(host, files);
  if (isAlive(host, program)) return { kind: "alive", pid: program.pid };
  // The program is gone; the wrapper may be about to record how.
  const late = await poll(host.clock, { everyMs: 20, timeoutMs: RECORD_MS }, async () => {
    const canStillWrite = isAlive(host, wrapper);
    return (await readRecord(host, files)) ?? (canStillWrite ? await findAlive(host, files) : killed());
  });
  return late ?? { kind: "unknown", evidence: "The program ended, and its wrapper has not recorded how." };
}

// During an exec a process has no environment that identifies it, so it may have been missed.
async function findAlive(host: Host, files: RunFiles): Promise<RunProbe | null> {
  const { program } = await readProcesses(host, files);
  return isAlive(host, program) ? { kind: "alive", pid: program.pid } : null;
}

async function readRecord(host: Host, files: RunFiles): Promise<RunProbe | null> {
  const code = await readNumber(host, files.exit);
  if (code !== null) return { kind: "exited", code };
  const gone = await host.fs.readText(files.gone);
  return gone === null ? null : { kind: "gone", evidence: gone.trim() };
}

function killed(): RunProbe {
  return {
    kind: "gone",
    evidence:
      "The program and its wrapper were killed (the tmux server, the machine, or SIGKILL) without an exit code.",
  };
}

async function probeUnstarted(host: Host, files: RunFiles): Promise<RunProbe> {
  const lock = await host.fs.stat(files.lock);
  if (lock === null) return { kind: "gone", evidence: "This run was never started: its folder has no lock." };
  const claim = await host.fs.stat(files.claim);
  const since = Math.max(lock.mtimeMs, claim?.mtimeMs ?? 0);
  if (host.clock.now() - since < START_MS) return { kind: "starting" };
  // "Gone" is final: a terminal that starts after this finds the claim taken and runs nothing.
  if (claim === null && !(await host.fs.makeDir(files.claim, { exclusive: true }))) return { kind: "starting" };
  const evidence = `The terminal did not start the program within ${START_MS / 1000} s.`;
  await host.fs.remove(files.launch);
  await host.fs.writeText(files.gone, `${evidence}\n`);
  return { kind: "gone", evidence };
}
