import { setTimeout as pause } from "node:timers/promises";
import { AoError } from "../../core/errors.ts";
import type { SessionView } from "../../protocol/views/session.ts";
import { fetchSessions } from "../views/show-sessions.ts";
import type { Client } from "./client.ts";
import { isBusy } from "./while-answering.ts";

/** How long nothing may change. */
const STILL_LIMIT_MS = 60_000;
const POLL_MS = 200;
/** Requests at once: hundreds would keep a busy daemon from its work. */
const AT_ONCE = 16;

interface Ending {
  readonly asked: Map<string, SessionView>;
  readonly refusals: Map<string, string>;
  /** Calls the daemon; null: it is too busy to answer, and there was progress a short while ago. */
  patiently<T>(ask: () => Promise<T>): Promise<T | null>;
}

/**
 * Ends all sessions, also those that start meanwhile, and waits as long as there is progress, even if the daemon is too busy to answer
 * for a while; fails with the names of those that did not end.
 */
export async function endSessions(
  client: Client,
  listed: readonly SessionView[],
  say: (howFar: string) => void = () => undefined,
): Promise<readonly SessionView[]> {
  let progressAt = performance.now();
  const isStill = (): boolean => performance.now() - progressAt > STILL_LIMIT_MS;
  const patiently = async <T>(ask: () => Promise<T>): Promise<T | null> => {
    try {
      return await ask();
    } catch (error) {
      if (!isBusy(error) || isStill()) throw error;
      return null;
    }
  };
  const ending: Ending = { asked: new Map(), refusals: new Map(), patiently };
  let left = listed;
  while (true) {
    const hasAsked = await askToEnd(client, left, ending);
    const now = await patiently(() => fetchSessions(client, {}));
    const live = (now ?? left).filter(({ status }) => status !== "stopped");
    if (hasAsked || live.length < left.length) progressAt = performance.now();
    left = live;
    const all = new Set([...ending.asked.keys(), ...left.map(({ id }) => id)]).size;
    say(`${all - left.length} of ${all}`);
    if (left.every(({ id }) => ending.refusals.has(id)) || isStill()) break;
    if (left.every(({ id }) => ending.asked.has(id))) await pause(POLL_MS);
  }
  if (left.length === 0) return [...ending.asked.values()];
  const why = left.map(({ id, evidence }) => `${id} (${ending.refusals.get(id) ?? evidence})`).join(", ");
  throw new AoError({
    code: "timeout",
    message: `${count(left)} did not stop: ${why}`,
    hint: "The daemon is still running. `ao stop` ends only the daemon; agents keep running.",
  });
}

/** "1 session", "2 sessions". */
export function count(sessions: readonly SessionView[]): string {
  return sessions.length === 1 ? "1 session" : `${sessions.length} sessions`;
}

/** Asks for the end of those that were not asked yet; returns whether the daemon took one of these requests. */
async function askToEnd(
  client: Client,
  sessions: readonly SessionView[],
  { asked, refusals, patiently }: Ending,
): Promise<boolean> {
  const fresh = sessions.filter(({ id }) => !asked.has(id));
  const before = asked.size;
  const end = async (session: SessionView): Promise<void> => {
    const params = { id: session.id };
    try {
      const answer = await patiently(() => client.call("DELETE /api/sessions/:id", { params }));
      if (answer !== null) asked.set(session.id, session);
    } catch (error) {
      if (!(error instanceof AoError)) throw error;
      asked.set(session.id, session);
      refusals.set(session.id, error.message);
    }
  };
  for (let at = 0; at < fresh.length; at += AT_ONCE) {
    await Promise.all(fresh.slice(at, at + AT_ONCE).map(end));
  }
  return asked.size > before;
}
