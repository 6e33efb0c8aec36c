import { join } from "node:path";
import type { Emitted } from "../core/event.ts";
import { evolve, type StreamState } from "../core/evolve.ts";
import { projectStream, type StreamId, sessionStream } from "../core/stream.ts";
import { claimFor } from "../core/task/decide.ts";
import { openSqliteStore } from "../platform/sqlite-store.ts";
import type { Host } from "../ports/host.ts";
import { type Loaded, NO_CHANGES, type Store } from "../ports/store.ts";
import type { HomePaths } from "../protocol/home.ts";
import { createGit } from "../providers/git/git.ts";
import { readMarker } from "../providers/git/marker.ts";
import { CARD_FILE, type SessionCard } from "./session-card.ts";

export interface Rebuilt {
  readonly movedTo: string;
  readonly projects: readonly string[];
  readonly sessions: readonly string[];
  readonly problems: readonly string[];
}

/** `Found again: 1 project, 2 sessions (app-1, app-2).` */
export function describeFound({ projects, sessions }: Pick<Rebuilt, "projects" | "sessions">): string {
  const names = sessions.length === 0 ? "" : ` (${sessions.join(", ")})`;
  const some = [
    projects.length === 1 ? "1 project" : `${projects.length} projects`,
    sessions.length === 1 ? "1 session" : `${sessions.length} sessions`,
  ];
  return `Found again: ${some.join(", ")}${names}.`;
}

/**
 * Moves a damaged store aside (never deletes it) and creates a new one from what git and the session folders still
 * contain.
 */
export async function rebuildStore(host: Host, paths: HomePaths): Promise<Rebuilt> {
  const movedTo = await moveAside(host, paths.database);
  const events: Emitted[] = [];
  const projects = new Set<string>();
  const sessions: string[] = [];
  const problems: string[] = [];
  for (const id of await host.fs.list(paths.sessions)) {
    const card = await readCard(host, join(paths.sessions, id, CARD_FILE));
    if (card === null) {
      problems.push(`${id}: its folder has no readable ${CARD_FILE}; its runs stay in ${join(paths.sessions, id)}`);
      continue;
    }
    if (!projects.has(card.project.id)) {
      projects.add(card.project.id);
      events.push({ stream: projectStream(card.project.id), event: { type: "project.registered", ...card.project } });
    }
    events.push(...(await rebuildSession(host, paths, card)));
    sessions.push(id);
  }
  const store = openSqliteStore(paths.database);
  await write(store, events, { at: host.clock.now(), before: await store.load() });
  await store.close();
  return { movedTo, projects: [...projects], sessions, problems };
}

/**
 * Adopts sessions that are on disk but missing from the store, because it or its newest part was lost; returns their
 * ids.
 */
export async function adoptUnknown(host: Host, paths: HomePaths, store: Store): Promise<readonly string[]> {
  const before = await store.load();
  const events: Emitted[] = [];
  const adopted: string[] = [];
  const registered = new Set<string>();
  for (const id of await host.fs.list(paths.sessions)) {
    const stream = sessionStream(id);
    if (before.states.has(stream) || store.archive.state(stream) !== undefined) continue;
    const card = await readCard(host, join(paths.sessions, id, CARD_FILE));
    if (card === null || card.session.id !== id) continue;
    const { project } = card;
    if (!before.states.has(projectStream(project.id)) && !registered.has(project.id)) {
      registered.add(project.id);
      events.push({ stream: projectStream(project.id), event: { type: "project.registered", ...project } });
    }
    events.push(...(await rebuildSession(host, paths, card)));
    adopted.push(id);
  }
  if (adopted.length > 0) await write(store, events, { at: Math.max(host.clock.now(), before.lastAt), before });
  return adopted;
}

async function moveAside(host: Host, database: string): Promise<string> {
  const target = `${database}.damaged-${new Date(host.clock.now()).toISOString().replace(/[:.]/g, "-")}`;
  for (const suffix of ["", "-wal", "-shm"]) {
    if ((await host.fs.stat(database + suffix)) !== null) await host.fs.rename(database + suffix, target + suffix);
  }
  return target;
}

async function readCard(host: Host, file: string): Promise<SessionCard | null> {
  try {
    const text = await host.fs.readText(file);
    const card = text === null ? null : (JSON.parse(text) as SessionCard);
    return card?.version === 1 && typeof card.session?.id === "string" ? card : null;
  } catch {
    return null;
  }
}

async function rebuildSession(host: Host, paths: HomePaths, card: SessionCard): Promise<readonly Emitted[]> {
  const { session, project } = card;
  const stream = sessionStream(session.id);
  const on = (event: Emitted["event"]): Emitted => ({ stream, event });
  const path = await findWorktree(host, project.path, session.branch);
  const preservedRef = await newestPreserved(host, project.path, session.id);
  const head = path === null ? null : await git(host, path, ["rev-parse", "HEAD"]);
  const base =
    head === null ? null : await git(host, project.path, ["merge-base", head, `refs/heads/${project.defaultBranch}`]);
  const events: Emitted[] = [on(session), on({ type: "session.admitted" })];
  if (path !== null && head !== null) {
    const notes = ["found again after the store was rebuilt"];
    events.push(
      on({
        type: "workspace.created",
        generation: 1,
        path,
        branch: session.branch,
        head,
        baseCommit: base ?? head,
        restoredFrom: null,
        notes,
      }),
    );
    events.push(...(await lastRun(host, paths, session.id)).map(on));
    events.push(claimFor(session));
    return events;
  }
  return [
    ...events,
    on({ type: "session.stop-requested", reason: "its folder was gone when the store was rebuilt" }),
    on({ type: "workspace.removed", generation: 1, preservedRef }),
    on({ type: "session.stopped" }),
  ];
}

// A live run is adopted; its whole output is read again, which restores what it reported.
async function lastRun(host: Host, paths: HomePaths, sessionId: string): Promise<readonly Emitted["event"][]> {
  const folder = join(paths.sessions, sessionId, "runs");
  const last = Math.max(0, ...(await host.fs.list(folder)).map(Number).filter(Number.isInteger));
  if (last === 0) return [];
  const pid = Number.parseInt((await host.fs.readText(join(folder, String(last), "pid"))) ?? "0", 10) || 0;
  return [
    { type: "run.starting", run: last, messageId: null },
    { type: "run.started", run: last, pid },
  ];
}

async function findWorktree(host: Host, repository: string, branch: string): Promise<string | null> {
  const listed = await git(host, repository, ["worktree", "list", "--porcelain"]);
  for (const block of (listed ?? "").split("\n\n")) {
    const path = /^worktree (.+)$/m.exec(block)?.[1];
    const found = block.split("\n").includes(`branch refs/heads/${branch}`);
    if (found && path !== undefined && (await host.fs.stat(path)) !== null) return path;
  }
  return findOwn(host, repository, branch);
}

// Git does not list a checkout with a repository of its own.
async function findOwn({ fs }: Host, repository: string, branch: string): Promise<string | null> {
  const root = join(repository, ".worktrees");
  for (const name of await fs.list(root)) {
    const path = join(root, name);
    if ((await readMarker(fs, join(path, ".git")))?.branch === branch) return path;
  }
  return null;
}

async function newestPreserved(host: Host, repository: string, sessionId: string): Promise<string | null> {
  const refs = await git(host, repository, ["for-each-ref", "--format=%(refname)", `refs/ao/preserved/${sessionId}/`]);
  const names = (refs ?? "").split("\n").filter((name) => name !== "");
  return names.sort((a, b) => Number(a.split("/").at(-1)) - Number(b.split("/").at(-1))).at(-1) ?? null;
}

async function git(host: Host, cwd: string, args: readonly string[]): Promise<string | null> {
  const result = await createGit(host)({ args, cwd, discover: true, okCodes: [0, 1, 128] }).catch(() => null);
  return result === null || result.code !== 0 ? null : result.stdout.trimEnd();
}

async function write(
  store: Store,
  emitted: readonly Emitted[],
  { at, before }: { readonly at: number; readonly before: Loaded },
): Promise<void> {
  const states = new Map<StreamId, StreamState>();
  for (const { stream, event } of emitted) {
    const next = evolve(stream, states.get(stream) ?? before.states.get(stream), event, at);
    if (next !== undefined) states.set(stream, next);
  }
  await store.append(
    {
      ...NO_CHANGES,
      events: emitted.map(({ stream, event }) => ({ stream, event, at })),
      states: [...states].map(([stream, state]) => ({ stream, state, wakeAt: null })),
      durable: true,
    },
    before.lastPosition,
  );
}
