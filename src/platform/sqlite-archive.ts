import type Database from "libsql";
import { type Archive, isArchived, namesOf } from "../core/archive.ts";
import type { ChangeState } from "../core/change/state.ts";
import type { StreamState } from "../core/evolve.ts";
import type { SessionState } from "../core/session/state.ts";
import { type StreamId, splitStream } from "../core/stream.ts";
import { upcastState } from "../core/upcast.ts";

/** Maximum matches of one lookup: enough to list the candidates for a short prefix. */
const MAX_NAMED = 20;

/** The archive tables; the state is the last column, so that a search does not read it. */
export const ARCHIVE_SCHEMA = `
  create table if not exists archive(
    stream text primary key, kind text not null, project text not null, session text, branch text, number integer,
    merged_at integer, began_at integer not null, updated_at integer not null, position integer not null,
    state text not null);
  create index if not exists archive_by_project on archive(kind, project, number);
  create index if not exists archive_by_merge on archive(project, merged_at) where merged_at is not null;
  create index if not exists archive_by_session on archive(session) where session is not null;
  create index if not exists archive_by_branch on archive(project, branch) where branch is not null;
  create index if not exists archive_by_time on archive(kind, updated_at);
  create table if not exists archive_names(name text not null, stream text not null, primary key(name, stream)) without rowid;
  create index if not exists archive_names_by_stream on archive_names(stream);
`;

/** Since this version, unclaimed tasks are in the archive; sessions and changes move there by events. */
export const MOVE_FREE_TASKS = `
  insert or replace into archive(stream, kind, project, began_at, updated_at, position, state)
    select stream, 'task', json_extract(state, '$.projectId'), json_extract(state, '$.at'), json_extract(state, '$.at'),
      position, state
    from streams where stream like 'task:%' and json_extract(state, '$.claimedBy') is null;
  delete from streams where stream like 'task:%' and json_extract(state, '$.claimedBy') is null;
`;

interface ArchivedRow {
  readonly stream: StreamId;
  readonly state: string;
}

function toState({ stream, state }: ArchivedRow): StreamState {
  return upcastState(stream, JSON.parse(state));
}

interface Query {
  all(...values: unknown[]): unknown[];
}

/** Moves states between the live table and the archive; runs inside the transaction of their events. */
export interface StateWriter {
  write(
    row: { readonly stream: StreamId; readonly state: StreamState; readonly wakeAt: number | null },
    position: number,
  ): void;
}

export function createStateWriter(db: Database.Database): StateWriter {
  const live = db.prepare("insert or replace into streams(stream, state, position, wake_at) values (?, ?, ?, ?)");
  const dropLive = db.prepare("delete from streams where stream = ?");
  const archive = db.prepare(
    `insert or replace into archive(stream, kind, project, session, branch, number, merged_at, began_at, updated_at, position, state)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const dropArchived = db.prepare("delete from archive where stream = ?");
  const name = db.prepare("insert or replace into archive_names(name, stream) values (?, ?)");
  const dropNames = db.prepare("delete from archive_names where stream = ?");
  // The runs of an archived session are over, and a later run gets its own source.
  const dropPositions = db.prepare("delete from positions where source >= ? and source < ?");
  return {
    write: ({ stream, state, wakeAt }, position) => {
      const text = JSON.stringify(state);
      if (!isArchived(stream, state)) {
        live.run(stream, text, position, wakeAt);
        if (dropArchived.run(stream).changes > 0) dropNames.run(stream);
        return;
      }
      dropLive.run(stream);
      archive.run(stream, ...columnsOf(stream, state), position, text);
      const { kind, id } = splitStream(stream);
      if (kind !== "session") return;
      for (const one of namesOf(state as SessionState)) name.run(one, stream);
      dropPositions.run(`run:${id}/`, `run:${id}0`);
    },
  };
}

function columnsOf(stream: StreamId, state: StreamState): readonly (string | number | null)[] {
  const { kind } = splitStream(stream);
  if (kind === "session") {
    const { projectId, createdAt, updatedAt } = state as SessionState;
    return [kind, projectId, null, null, null, null, createdAt, updatedAt];
  }
  if (kind === "change") {
    const { projectId, sessionId, branch, number, merged, openedAt, updatedAt } = state as ChangeState;
    return [kind, projectId, sessionId, branch, number, merged?.at ?? null, openedAt, updatedAt];
  }
  const { projectId, at } = state as { readonly projectId: string; readonly at: number };
  return [kind, projectId, null, null, null, null, at, at];
}

/** Reads the archive, synchronously: decisions look up single streams in it. */
export function createSqliteArchive(db: Database.Database, guard: <T>(work: () => T) => T): Archive {
  const state = db.prepare("select stream, state from archive where stream = ?");
  const sessions = db.prepare(
    "select stream, state from archive where kind = 'session' and updated_at >= ? and (? is null or project = ?) order by began_at",
  );
  const latest = db.prepare(
    "select stream, state from archive where kind = 'session' order by updated_at desc limit ?",
  );
  const named = db.prepare(
    `select distinct archive.stream, archive.state from (select name, stream from archive_names where name >= ? and name < ? order by name limit ${MAX_NAMED}) as found
     join archive on archive.stream = found.stream`,
  );
  const changes = db.prepare(
    "select stream, state from archive where kind = 'change' and (? is null or project = ?) order by began_at, number",
  );
  const changesOf = db.prepare("select stream, state from archive where session = ? order by began_at, number");
  const changesOn = db.prepare(
    "select stream, state from archive where project = ? and branch = ? order by began_at, number",
  );
  const numbered = db.prepare(
    "select stream, state from archive where kind = 'change' and project = ? and number = ? order by began_at",
  );
  const last = db.prepare("select max(number) as number from archive where kind = 'change' and project = ?");
  const merged = db.prepare("select count(*) as count from archive where project = ? and merged_at > ?");
  const all = <T>(query: Query, ...values: readonly unknown[]): readonly T[] =>
    guard(() => query.all(...values).map((row) => toState(row as ArchivedRow) as T));
  return {
    state: (stream) => all<StreamState>(state, stream)[0],
    sessions: ({ projectId = null, since = 0 }) => all<SessionState>(sessions, since, projectId, projectId),
    latestSessions: (count) => all<SessionState>(latest, count),
    sessionsNamed: (beginning) => all<SessionState>(named, beginning, `${beginning}\u{10ffff}`),
    changes: ({ projectId = null }) => all<ChangeState>(changes, projectId, projectId),
    changesOf: (sessionId) => all<ChangeState>(changesOf, sessionId),
    changesOn: (projectId, branch) => all<ChangeState>(changesOn, projectId, branch),
    changesNumbered: (projectId, number) => all<ChangeState>(numbered, projectId, number),
    lastNumber: (projectId) => guard(() => (last.get(projectId) as { number: number | null }).number ?? 0),
    countMerged: (projectId, after) => guard(() => (merged.get(projectId, after) as { count: number }).count),
  };
}
