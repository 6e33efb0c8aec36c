import type { Host } from "../../../ports/host.ts";
import type { HomePaths } from "../../../protocol/home.ts";
import { type LoginCopy, readCopies, writeCopies } from "./login-copies.ts";
import { reconcileLogin } from "./reconcile-login.ts";
import { homeFolder } from "./record.ts";

/** A program is started within this time after it got its logins. */
const START_MS = 120_000;

/** Keeps the logins of sandboxed programs the same as the user's, whichever side refreshes its tokens. */
export interface Logins {
  /** Gives a session's copies the user's newest logins, before its program starts. */
  share(sessionId: string, copies: readonly Omit<LoginCopy, "agreed">[]): Promise<void>;
  /** Takes over what a session's program changed, and removes its copies: a stale token must not stay behind. */
  collect(sessionId: string): Promise<void>;
  /** Compares what changed since the last round, and collects from sessions without a program. */
  round(isRunning: (sessionId: string) => boolean): Promise<void>;
}

interface Held {
  readonly copies: LoginCopy[];
  /** Until when its program may still be about to start. */
  startsBy: number;
}

interface State {
  readonly host: Host;
  readonly paths: HomePaths;
  readonly held: Map<string, Held>;
  /** What each file looked like in the last round. */
  readonly seen: Map<string, string>;
  /** The user's files that could not be compared; each is reported once. */
  readonly failing: Set<string>;
}

export function createLogins(host: Host, paths: HomePaths): Logins {
  const state: State = { host, paths, held: new Map(), seen: new Map(), failing: new Set() };
  let isLoaded = false;
  let turn: Promise<unknown> = Promise.resolve();
  // One after another: two comparisons at a time could each take the other's half.
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const next = turn.then(async () => {
      if (!isLoaded) await load(state);
      isLoaded = true;
      await work();
    });
    turn = next.catch(() => undefined);
    return next;
  };
  return {
    share: (sessionId, copies) => inTurn(() => share(state, sessionId, copies)),
    collect: (sessionId) => inTurn(() => collect(state, sessionId)),
    round: (isRunning) => inTurn(() => round(state, isRunning)),
  };
}

// Programs go on while no daemon runs.
async function load({ host, paths, held }: State): Promise<void> {
  for (const id of await host.fs.list(paths.sessions)) {
    const copies = await readCopies(host.fs, homeFolder(paths, id));
    if (copies.length > 0) held.set(id, { copies, startsBy: 0 });
  }
}

async function share(state: State, sessionId: string, wanted: readonly Omit<LoginCopy, "agreed">[]): Promise<void> {
  const { host, held } = state;
  // What its last program left, if that ended this very moment.
  await collect(state, sessionId);
  if (held.has(sessionId)) return;
  const copies = wanted.map((copy): LoginCopy => ({ ...copy, agreed: { user: null, copy: null } }));
  // Whatever is there now is no login that anybody gave it.
  for (const { copy } of copies) await host.fs.remove(copy);
  if (copies.length > 0) held.set(sessionId, { copies, startsBy: host.clock.now() + START_MS });
  for (const { user } of copies) await reconcile(state, user);
}

async function collect(state: State, sessionId: string): Promise<void> {
  const { host, paths, held, seen } = state;
  const copies = held.get(sessionId)?.copies ?? [];
  if (copies.length === 0) return;
  for (const { user } of copies) await reconcile(state, user);
  // What was not taken over, because the disk is full for example, stays where it is.
  if (copies.some(({ user }) => state.failing.has(user))) return;
  for (const { copy } of copies) {
    await host.fs.remove(copy);
    seen.delete(copy);
  }
  held.delete(sessionId);
  await writeCopies(host.fs, homeFolder(paths, sessionId), []);
}

async function round(state: State, isRunning: (sessionId: string) => boolean): Promise<void> {
  const { host, held } = state;
  const changed = new Set<string>(state.failing);
  for (const { user, copy } of [...held.values()].flatMap(({ copies }) => copies)) {
    const target = (await host.fs.realPath(user)) ?? user;
    const isSame = [await isStill(state, target), await isStill(state, copy)];
    if (isSame.includes(false)) changed.add(user);
  }
  for (const user of changed) await reconcile(state, user);
  for (const [id, one] of [...held]) {
    if (isRunning(id)) one.startsBy = 0;
    else if (one.startsBy < host.clock.now()) await collect(state, id);
  }
}

async function isStill({ host, seen }: State, path: string): Promise<boolean> {
  const stat = await host.fs.stat(path);
  const now = stat === null ? "" : `${stat.kind} ${stat.size} ${stat.mtimeMs}`;
  const before = seen.get(path);
  seen.set(path, now);
  return before === now;
}

async function reconcile({ host, paths, held, seen, failing }: State, user: string): Promise<void> {
  const sessions = [...held].filter(([, { copies }]) => copies.some((copy) => copy.user === user));
  const copies = sessions.flatMap(([, one]) => one.copies.filter((copy) => copy.user === user));
  const before = JSON.stringify(copies);
  try {
    for (const path of await reconcileLogin(host, user, copies)) seen.delete(path);
    failing.delete(user);
  } catch (error) {
    const reason = String(error);
    if (!failing.has(user)) host.log.warn("a login was not compared with its copies", { path: user, reason });
    failing.add(user);
  }
  if (JSON.stringify(copies) === before) return;
  for (const [id, one] of sessions) await writeCopies(host.fs, homeFolder(paths, id), one.copies);
}
