import { existsSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { AoError } from "../../core/errors.ts";
import type { SessionView } from "../../protocol/views/session.ts";
import { print, printJson, withProgress } from "../views/print.ts";
import { fetchSessions } from "../views/show-sessions.ts";
import { connect } from "./client.ts";
import { count, endSessions } from "./end-sessions.ts";
import { readHealth } from "./launch-daemon.ts";
import { isSilent, silent } from "./while-answering.ts";

const END_LIMIT_MS = 60_000;
const POLL_MS = 20;
const WITH_AGENT = ["starting", "working", "idle", "needs-input"];

/** Ends the daemon and waits until it is gone; does not start one for this. */
export async function stopDaemon(options: { readonly sessions: boolean; readonly json: boolean }): Promise<void> {
  const client = connect({ start: false });
  const health = await readHealth(client.paths);
  if (health === null) {
    if (await isSilent(client.paths)) throw silent(client.paths);
    if (options.json) printJson({ stopped: false });
    else print("the daemon is not running");
    return;
  }
  const listed = await fetchSessions(client, {}).catch(() => []);
  const sessions = options.sessions
    ? await withProgress("stopping sessions", (say) => endSessions(client, listed, say))
    : listed;
  await client.call("POST /api/shutdown", { input: {} });
  await withProgress("stopping the daemon", untilGone(health.pid));
  if (options.json) return printJson({ stopped: true });
  print(options.sessions ? describeEnded(sessions) : describeLeft(sessions));
}

function describeEnded(sessions: readonly SessionView[]): string {
  if (sessions.length === 0) return "the daemon stopped";
  const ids = sessions.map(({ id }) => id).join(", ");
  return `the daemon and ${count(sessions)} stopped: ${ids}\n\`ao restore SESSION\` brings one back with its uncommitted work.`;
}

function describeLeft(sessions: readonly SessionView[]): string {
  const running = sessions.filter((session) => WITH_AGENT.includes(session.status));
  return running.length === 0 ? "the daemon stopped" : `the daemon stopped; agents keep running in ${count(running)}`;
}

async function untilGone(pid: number): Promise<void> {
  const deadline = Date.now() + END_LIMIT_MS;
  while (isAlive(pid)) {
    if (Date.now() > deadline) {
      throw new AoError({ code: "timeout", message: `the daemon (pid ${pid}) was asked to stop but is still running` });
    }
    await pause(POLL_MS);
  }
}

/** Is a process still running? A zombie is not. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !existsSync(`/proc/${pid}/stat`) || !/^\d+ \(.*\) Z /s.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
