import { createHash } from "node:crypto";
import { chmodSync, closeSync, openSync, statSync } from "node:fs";
import Database from "libsql";
import { AoError } from "../core/errors.ts";
import type { StreamState } from "../core/evolve.ts";
import type { StreamId } from "../core/stream.ts";
import { upcastEvent, upcastState } from "../core/upcast.ts";
import type { Batch, Loaded, OpenIntent, Store, StoredEvent } from "../ports/store.ts";
import { ARCHIVE_SCHEMA, createSqliteArchive, createStateWriter, MOVE_FREE_TASKS } from "./sqlite-archive.ts";
import { explainSqlite } from "./sqlite-error.ts";

const SCHEMA_VERSION = 2;
/** Receipts of commands are kept this long; a retry comes within seconds. */
const RECEIPTS_KEPT_MS = 24 * 3600 * 1000;

const SCHEMA = `
  create table if not exists events(
    position integer primary key, stream text not null, type text not null, version integer not null default 1,
    data text not null, at integer not null);
  create index if not exists events_by_stream on events(stream, position);
  create table if not exists streams(stream text primary key, state text not null, position integer not null, wake_at integer) without rowid;
  create table if not exists intents(
    id text primary key, stream text not null, lane text not null, spec text not null, status text not null,
    seq integer not null, recorded_at integer not null) without rowid;
  create index if not exists intents_open on intents(status, seq);
  create table if not exists positions(source text primary key, position integer not null) without rowid;
  create table if not exists receipts(key text primary key, result text not null, at integer not null) without rowid;
  create table if not exists blobs(hash text primary key, data blob not null) without rowid;
  ${ARCHIVE_SCHEMA}
`;

/**
 * Loaded at start. In a large store only these are checked for damage; damage elsewhere is reported by the first read
 * that hits it.
 */
const LOADED_TABLES = ["streams", "intents", "positions"];
/** Checking a file of this size takes some 50 ms; after years of history it would take seconds. */
const CHECKED_WHOLE_BYTES = 16 * 1024 * 1024;

export interface SqliteStoreOptions {
  /** Check the whole file for damage, whatever its size. */
  readonly checkWhole?: boolean;
}

/** The store in one SQLite file, in WAL mode. */
export function openSqliteStore(file: string, { checkWhole = false }: SqliteStoreOptions = {}): Store {
  const guard = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw explainSqlite(error, file);
    }
  };
  const db = guard(() => open(file, checkWhole));
  const statements = guard(() => prepare(db));
  let durable: boolean | null = null;

  const setDurable = (wanted: boolean): void => {
    if (durable === wanted) return;
    db.exec(`pragma synchronous = ${wanted ? "FULL" : "NORMAL"}`);
    durable = wanted;
  };

  const append = (batch: Batch, expectedPosition: number): readonly StoredEvent[] => {
    setDurable(batch.durable);
    db.exec("begin immediate");
    try {
      const stored = writeBatch(statements, batch, expectedPosition);
      db.exec("commit");
      return stored;
    } catch (error) {
      // A failed commit may already have rolled back.
      if (db.inTransaction) db.exec("rollback");
      throw error;
    }
  };

  return {
    append: async (batch, expectedPosition) => guard(() => append(batch, expectedPosition)),
    load: async () => guard(() => load(db)),
    archive: createSqliteArchive(db, guard),
    read: async (from, limit, stream) =>
      guard(() =>
        stream === undefined
          ? statements.read.all(from, limit).map(toEvent)
          : statements.readStream.all(stream, from, limit).map(toEvent),
      ),
    readBefore: async (before, limit, stream) =>
      guard(() => statements.readStreamBefore.all(stream, before, limit).map(toEvent)),
    isFinished: async (id) => guard(() => statements.finished.get(id) !== undefined),
    receipt: async (key) =>
      guard(() => (statements.receipt.get(key) as { result: string } | undefined)?.result ?? null),
    putBlob: async (text) =>
      guard(() => {
        const hash = createHash("sha256").update(text).digest("hex");
        // Not flushed: the log is written in order, so a commit that names this text never reaches the disk without it.
        setDurable(false);
        // As bytes: the driver cuts text at the first NUL.
        statements.putBlob.run(hash, Buffer.from(text));
        return hash;
      }),
    getBlob: async (hash) =>
      guard(() => {
        const row = statements.getBlob.get(hash) as { data: Uint8Array } | undefined;
        return row === undefined ? null : Buffer.from(row.data).toString("utf8");
      }),
    close: async () => {
      // While no daemon runs, this one file is the whole store.
      guard(() => db.exec("pragma wal_checkpoint(truncate)"));
      db.close();
    },
  };
}

// SQLite creates world-readable files, and gives the files beside a database the database's mode.
function makePrivate(file: string): void {
  closeSync(openSync(file, "a", 0o600));
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
}

function open(file: string, checkWhole: boolean): Database.Database {
  makePrivate(file);
  const db = new Database(file, { timeout: 2000 });
  db.exec("pragma journal_mode = wal");
  db.exec("pragma cache_size = -2000");
  const { user_version: version } = db.prepare("pragma user_version").get() as { user_version: number };
  if (version > SCHEMA_VERSION) {
    throw new AoError({
      code: "store-unwritable",
      message: `The store ${file} was written by a newer ao (format version ${version}).`,
      hint: "Install that version again: this one cannot read the store, and nothing converts it back. Or start afresh with AO_HOME set to another folder: branches and worktrees stay as they are.",
    });
  }
  // An older store is checked completely before anything in it is moved.
  const isWhole = checkWhole || version < SCHEMA_VERSION || sizeOf(db) <= CHECKED_WHOLE_BYTES;
  for (const part of isWhole ? ["1"] : LOADED_TABLES) checkPart(db, part);
  upgrade(db, version);
  return db;
}

function sizeOf(db: Database.Database): number {
  const { page_count: pages } = db.prepare("pragma page_count").get() as { page_count: number };
  const { page_size: bytes } = db.prepare("pragma page_size").get() as { page_size: number };
  return pages * bytes;
}

/** Throws if a table (or with "1" the whole file) is damaged. */
function checkPart(db: Database.Database, part: string): void {
  const { quick_check: found } = db.prepare(`pragma quick_check(${part})`).get() as { quick_check: string };
  if (found !== "ok") throw Object.assign(new Error(found), { code: "SQLITE_CORRUPT" });
}

// All or nothing: an interrupted upgrade starts over.
function upgrade(db: Database.Database, version: number): void {
  db.exec("begin immediate");
  db.exec(SCHEMA);
  if (version === 1) db.exec(MOVE_FREE_TASKS);
  db.exec(`pragma user_version = ${SCHEMA_VERSION}`);
  db.exec("commit");
}

type Statements = ReturnType<typeof prepare>;

function prepare(db: Database.Database) {
  return {
    last: db.prepare("select coalesce(max(position), 0) as position from events"),
    event: db.prepare("insert into events(position, stream, type, data, at) values (?, ?, ?, ?, ?)"),
    states: createStateWriter(db),
    record: db.prepare(
      "insert into intents(id, stream, lane, spec, status, seq, recorded_at) values (?, ?, ?, ?, 'pending', ?, ?)",
    ),
    start: db.prepare("update intents set status = 'started' where id = ?"),
    finish: db.prepare("update intents set status = 'finished' where id = ?"),
    forget: db.prepare("delete from intents where id = ?"),
    position: db.prepare("insert or replace into positions(source, position) values (?, ?)"),
    writeReceipt: db.prepare("insert or replace into receipts(key, result, at) values (?, ?, ?)"),
    dropReceipts: db.prepare("delete from receipts where at < ?"),
    finished: db.prepare("select 1 as yes from intents where id = ? and status = 'finished'"),
    receipt: db.prepare("select result from receipts where key = ?"),
    read: db.prepare("select position, stream, data, at from events where position > ? order by position limit ?"),
    readStream: db.prepare(
      "select position, stream, data, at from events where stream = ? and position > ? order by position limit ?",
    ),
    readStreamBefore: db.prepare(
      "select position, stream, data, at from events where stream = ? and position < ? order by position desc limit ?",
    ),
    putBlob: db.prepare("insert or ignore into blobs(hash, data) values (?, ?)"),
    getBlob: db.prepare("select data from blobs where hash = ?"),
  };
}

function writeBatch(statements: Statements, batch: Batch, expectedPosition: number): readonly StoredEvent[] {
  const { position: last } = statements.last.get() as { position: number };
  if (last !== expectedPosition) {
    throw new AoError({
      code: "conflict",
      message: `The log is at ${last}, not at ${expectedPosition}: another writer is at work.`,
    });
  }
  let position = last;
  const stored = batch.events.map(({ stream, at, event }) => {
    position += 1;
    statements.event.run(position, stream, event.type, JSON.stringify(event), at);
    return { position, stream, at, event };
  });
  for (const row of batch.states) statements.states.write(row, position);
  batch.recorded.forEach((intent, index) => {
    statements.record.run(
      intent.id,
      intent.stream,
      intent.lane,
      JSON.stringify(intent.spec),
      position * 1000 + index,
      intent.recordedAt,
    );
  });
  for (const id of batch.started) statements.start.run(id);
  for (const id of batch.finished) statements.finish.run(id);
  for (const id of batch.forgotten) statements.forget.run(id);
  for (const { source, position: at } of batch.positions) statements.position.run(source, at);
  for (const { key, result } of batch.receipts) {
    const now = Date.now();
    statements.writeReceipt.run(key, result, now);
    statements.dropReceipts.run(now - RECEIPTS_KEPT_MS);
  }
  return stored;
}

function load(db: Database.Database): Loaded {
  const states = new Map<StreamId, StreamState>();
  for (const row of db.prepare("select stream, state from streams").all() as { stream: StreamId; state: string }[]) {
    states.set(row.stream, upcastState(row.stream, JSON.parse(row.state)));
  }
  const rows = db.prepare("select * from intents where status in ('pending', 'started') order by seq").all() as {
    id: string;
    stream: StreamId;
    lane: string;
    spec: string;
    status: "pending" | "started";
    recorded_at: number;
  }[];
  const intents: OpenIntent[] = rows.map((row) => ({
    id: row.id,
    stream: row.stream,
    lane: row.lane,
    spec: JSON.parse(row.spec),
    status: row.status,
    recordedAt: row.recorded_at,
  }));
  const positions = new Map(
    (db.prepare("select source, position from positions").all() as { source: string; position: number }[]).map(
      (row) => [row.source, row.position],
    ),
  );
  const last = db.prepare("select position, at from events order by position desc limit 1").get() as
    | { position: number; at: number }
    | undefined;
  return { states, intents, positions, lastPosition: last?.position ?? 0, lastAt: last?.at ?? 0 };
}

function toEvent(row: unknown): StoredEvent {
  const { position, stream, data, at } = row as { position: number; stream: StreamId; data: string; at: number };
  return { position, stream, at, event: upcastEvent(JSON.parse(data)) };
}
