import { PluginError } from "../../../core/errors.ts";
import type { Host, ProcessIdentity } from "../../../ports/host.ts";
import { poll } from "../../../ports/poll.ts";
import type { RunRef } from "../../../ports/runtime.ts";
import type { TmuxClient } from "../../../providers/tmux/client.ts";
import { exactTarget, nameTmuxSession } from "./names.ts";
import { isAlive, readNumber, readProcesses, runFiles } from "./run-folder.ts";

// A killed program is gone at once, unless it is stuck in the kernel (a dead network drive).
const KILL_MS = 5_000;
// The wrapper outlives the program by the time it takes to write the exit code.
const RECORD_MS = 2_000;

interface Crew {
  /** The wrapper's process group; null if its number can no longer be trusted to be ours. */
  readonly group: number | null;
  readonly intent: string | null;
}

/** Ends everything that belongs to a run, then its tmux session. Agents survive the end of their terminal, so the processes come first. */
export async function endRun(
  host: Host,
  tmux: TmuxClient,
  { ref, graceMs }: { readonly ref: RunRef; readonly graceMs: number },
): Promise<void> {
  const files = runFiles(ref.runDir);
  if ((await host.fs.stat(ref.runDir)) !== null) {
    // From here on a terminal that starts late runs nothing.
    await host.fs.makeDir(files.claim, { exclusive: true });
    await host.fs.remove(files.launch);
    const { program, wrapper } = await readProcesses(host, files);
    const isOurs = isAlive(host, wrapper) || isAlive(host, program);
    const crew = {
      group: isOurs && wrapper !== null ? wrapper.pid : null,
      intent: await host.fs.readText(files.intent),
    };
    await endCrew(host, ref, { crew, graceMs, wrapper: wrapper?.pid ?? null });
    if ((await readNumber(host, files.pid)) === null && (await host.fs.stat(files.lock)) !== null) {
      await host.fs.writeText(files.gone, "The run was ended before its program started.\n");
    }
  }
  // Exit code 1 means that there is no such session, or no server at all.
  await tmux.run(["kill-session", "-t", exactTarget(nameTmuxSession(ref))]);
}

async function endCrew(
  host: Host,
  ref: RunRef,
  { crew, graceMs, wrapper }: { readonly crew: Crew; readonly graceMs: number; readonly wrapper: number | null },
): Promise<void> {
  const first = await findCrew(host, crew);
  if (first.length === 0) return;
  if (crew.group !== null) host.processes.signal(-crew.group, "SIGTERM");
  const inGroup = new Set(
    crew.group === null ? [] : (await host.processes.groupMembers(crew.group)).map((one) => one.pid),
  );
  for (const one of first) if (!inGroup.has(one.pid)) signalExactly(host, one, "SIGTERM");
  if (await areGone(host, crew, { timeoutMs: graceMs, onSurvivor: () => undefined })) return;
  // The wrapper is spared at first, so that it can write down the exit code.
  const killAll = (one: ProcessIdentity): void => signalExactly(host, one, "SIGKILL");
  const killProgram = (one: ProcessIdentity): void => (one.pid === wrapper ? undefined : killAll(one));
  if (await areGone(host, crew, { timeoutMs: RECORD_MS, onSurvivor: killProgram })) return;
  if (await areGone(host, crew, { timeoutMs: KILL_MS, onSurvivor: killAll })) return;
  throw new PluginError({
    plugin: "tmux",
    category: "unavailable",
    message: `Processes of ${ref.sessionId} are still there ${KILL_MS / 1000} s after SIGKILL.`,
    data: { pids: (await findCrew(host, crew)).map((one) => one.pid) },
  });
}

function areGone(
  host: Host,
  crew: Crew,
  { timeoutMs, onSurvivor }: { readonly timeoutMs: number; readonly onSurvivor: (one: ProcessIdentity) => void },
): Promise<true | null> {
  return poll(host.clock, { everyMs: 50, timeoutMs }, async () => {
    const left = await findCrew(host, crew);
    for (const one of left) onSurvivor(one);
    return left.length === 0 ? true : null;
  });
}

// A child may leave the group (setsid), or drop the environment (env -i); one that does both is out of reach.
async function findCrew(host: Host, crew: Crew): Promise<readonly ProcessIdentity[]> {
  const members = crew.group === null ? [] : await host.processes.groupMembers(crew.group);
  const marked = crew.intent === null ? [] : await host.processes.findByIntent(crew.intent);
  return [...members, ...marked.filter((one) => !members.some((member) => member.pid === one.pid))];
}

function signalExactly(host: Host, one: ProcessIdentity, signal: "SIGTERM" | "SIGKILL"): void {
  if (host.processes.isAlive(one)) host.processes.signal(one.pid, signal);
}
