import { join } from "node:path";
import Database from "libsql";
import { describe, expect, it } from "vitest";
import type { Emitted } from "../src/core/event.ts";
import { evolve, type StreamState } from "../src/core/evolve.ts";
import { ARCHIVE_AFTER_MS } from "../src/core/settle-archive.ts";
import type { StreamId } from "../src/core/stream.ts";
import { claimFor } from "../src/core/task/decide.ts";
import { createLoop } from "../src/engine/loop.ts";
import { createSilentLog } from "../src/platform/log.ts";
import { openSqliteStore } from "../src/platform/sqlite-store.ts";
import { aProject } from "../src/testing/builders.ts";
import { createFakeClock } from "../src/testing/fake-clock.ts";
import { tempDir } from "../src/testing/temp.ts";

/** The tables as versions before the archive created them. */
const VERSION_1 = `
  create table events(
    position integer primary key, stream text not null, type text not null, version integer not null default 1,
    data text not null, at integer not null);
  create index events_by_stream on events(stream, position);
  create table streams(stream text primary key, state text not null, position integer not null, wake_at integer) without rowid;
  create table intents(
    id text primary key, stream text not null, lane text not null, spec text not null, status text not null,
    seq integer not null, recorded_at integer not null) without rowid;
  create index intents_open on intents(status, seq);
  create table positions(source text primary key, position integer not null) without rowid;
  create table receipts(key text primary key, result text not null, at integer not null) without rowid;
  create table blobs(hash text primary key, data blob not null) without rowid;
  pragma user_version = 1;
`;

const AT = 1000;
const use = (plugin: string) => ({ plugin, config: {} });

/** One merged and stopped session and one working session, as an older version left them. */
function oldEvents(): readonly Emitted[] {
  const { paused: _, removed: __, at: ___, policy: ____, baseHead: _____, completedAt: ______, ...facts } = aProject();
  return [
    { stream: "project:demo", event: { type: "project.registered", ...facts } },
    ...requested("demo-1", "1"),
    { stream: "session:demo-1", event: { type: "agent.used", inputTokens: 10, outputTokens: 5, costUsd: 0.5 } },
    {
      stream: "change:demo/1",
      event: {
        type: "change.opened",
        projectId: "demo",
        number: 1,
        sessionId: "demo-1",
        issue: null,
        title: "Fix 1",
        body: null,
        branch: "ao/1",
        base: "main",
        head: "h1",
        by: "ao",
      },
    },
    { stream: "change:demo/1", event: { type: "change.merged", commit: "c1", baseBefore: "b1", head: "h1" } },
    { stream: "session:demo-1", event: { type: "session.stop-requested", reason: "merged" } },
    { stream: "session:demo-1", event: { type: "workspace.removed", generation: 1, preservedRef: null } },
    { stream: "session:demo-1", event: { type: "session.stopped" } },
    { stream: "task:demo/1", event: { type: "task.released", sessionId: "demo-1" } },
    ...requested("demo-2", "2"),
  ];
}

function requested(id: string, issue: string): readonly Emitted[] {
  const facts = { id, projectId: "demo", taskKey: `demo/${issue}`, issue, title: `Fix ${issue}` };
  const plugins = {
    agent: use("command"),
    runtime: use("process"),
    workspace: use("worktree"),
    input: "inbox",
  } as const;
  const names = { branch: `ao/${issue}`, base: null, folder: `issue-${issue}` };
  return [
    claimFor(facts),
    {
      stream: `session:${id}`,
      event: { type: "session.requested", ...facts, role: "worker", ...plugins, ...names },
    },
    { stream: `session:${id}`, event: { type: "session.admitted" } },
  ];
}

function makeOldStore(): string {
  const file = join(tempDir(), "ao.db");
  const db = new Database(file);
  db.exec(VERSION_1);
  const states = new Map<StreamId, StreamState>();
  const insert = db.prepare("insert into events(stream, type, data, at) values (?, ?, ?, ?)");
  for (const { stream, event } of oldEvents()) {
    insert.run(stream, event.type, JSON.stringify(event), AT);
    const after = evolve(stream, states.get(stream), event, AT);
    if (after !== undefined) states.set(stream, after);
  }
  const keep = db.prepare("insert into streams(stream, state, position, wake_at) values (?, ?, ?, null)");
  for (const [stream, state] of states) keep.run(stream, JSON.stringify(state), oldEvents().length);
  db.prepare("insert into positions(source, position) values (?, ?)").run("run:demo-1/1/out", 7);
  db.prepare("insert into positions(source, position) values (?, ?)").run("run:demo-2/1/out", 8);
  db.close();
  return file;
}

async function openLoop(file: string, now: number) {
  const store = openSqliteStore(file);
  const loaded = await store.load();
  const clock = createFakeClock(now);
  const loop = createLoop({ store, loaded, clock, log: createSilentLog(), faults: () => undefined });
  return { store, loaded, loop };
}

describe("a store from a version without an archive", () => {
  it("opens with all its content", async () => {
    const store = openSqliteStore(makeOldStore());
    const { states, lastPosition } = await store.load();
    expect(lastPosition).toBe(oldEvents().length);
    expect([...states.keys()].sort()).toEqual([
      "change:demo/1",
      "project:demo",
      "session:demo-1",
      "session:demo-2",
      "task:demo/2",
    ]);
    expect(store.archive.state("task:demo/1")).toMatchObject({ claimedBy: null, issue: "1" });
    await store.close();
  });

  it("archives finished sessions, finds them there, and brings one back for a restore", async () => {
    const file = makeOldStore();
    const first = await openLoop(file, AT + ARCHIVE_AFTER_MS);
    await first.loop.submit({ input: { type: "timer" } });
    first.loop.close();
    await first.store.close();

    const { store, loaded, loop } = await openLoop(file, AT + ARCHIVE_AFTER_MS + 1);
    expect([...loaded.states.keys()].sort()).toEqual(["project:demo", "session:demo-2", "task:demo/2"]);
    expect([...loaded.positions.keys()]).toEqual(["run:demo-2/1/out"]);
    const { view } = loop.world;
    expect([...view.sessions()].map(({ id }) => id)).toEqual(["demo-2"]);
    expect(view.archive.sessions({}).map(({ id, usage }) => [id, usage.costUsd])).toEqual([["demo-1", 0.5]]);
    expect(view.session("demo-1")).toMatchObject({ phase: "stopped", updatedAt: AT });
    expect([...view.changesOf("demo-1")].map(({ key }) => key)).toEqual(["demo/1"]);

    await loop.submit({ input: { type: "session.restore", sessionId: "demo-1" } });
    expect([...view.sessions()].map(({ id }) => id).sort()).toEqual(["demo-1", "demo-2"]);
    expect([...view.changes()].map(({ key }) => key)).toEqual(["demo/1"]);
    expect(view.task("demo/1")?.claimedBy).toBe("demo-1");
    expect(view.archive.sessions({})).toEqual([]);
    const types = (await store.read(oldEvents().length, 100, "session:demo-1")).map(({ event }) => event.type);
    expect(types.slice(0, 3)).toEqual(["session.archived", "session.unarchived", "session.restore-requested"]);
    loop.close();
    await store.close();
  });

  it("gets a version that older programs refuse", async () => {
    const file = makeOldStore();
    await openSqliteStore(file).close();
    const db = new Database(file);
    expect(db.prepare("pragma user_version").get()).toMatchObject({ user_version: 2 });
    db.close();
  });
});
