import { pathToFileURL } from "node:url";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Sessions that end per hour of the history; the last one ended two days ago. */
const PER_HOUR = 4;
/** Sessions that one append writes. */
const CHUNK = 250;
const REPORTS = 12;

/** Appends sessions that were merged long ago, and some that are still open, to the store of a stopped daemon. */
export async function writeHistory({ program, database, projectId, past, open }) {
  const { openSqliteStore } = await importFrom(program, "platform/sqlite-store.js");
  const { evolve } = await importFrom(program, "core/evolve.js");
  const store = openSqliteStore(database);
  const loaded = await store.load();
  let position = loaded.lastPosition;
  const first = loaded.lastAt - 2 * DAY_MS - (past / PER_HOUR) * HOUR_MS;
  for (let from = 0; from < past + open; from += CHUNK) {
    const numbers = Array.from({ length: Math.min(CHUNK, past + open - from) }, (_, index) => from + index + 1);
    const stories = numbers.map((number) => {
      const at = number <= past ? first + (number / PER_HOUR) * HOUR_MS : loaded.lastAt;
      const story = [...beginning(projectId, number), ...(number <= past ? ending(projectId, number) : [])];
      return story.map(({ stream, event }) => ({ stream, event, at }));
    });
    const events = stories.flat();
    const states = new Map();
    for (const { stream, event, at } of events) states.set(stream, evolve(stream, states.get(stream), event, at));
    const rows = [...states].map(([stream, state]) => ({ stream, state, wakeAt: null }));
    await store.append(
      { ...EMPTY, events, states: rows, positions: numbers.map((n) => readTo(projectId, n)) },
      position,
    );
    position += events.length;
  }
  await store.close();
  return position;
}

/** A module of the built program. */
export function importFrom(program, file) {
  return import(pathToFileURL(`${program}/dist/${file}`).href);
}

const EMPTY = {
  events: [],
  states: [],
  recorded: [],
  started: [],
  finished: [],
  forgotten: [],
  positions: [],
  receipts: [],
  durable: false,
};

function readTo(projectId, number) {
  return { source: `run:${projectId}-${number}/1/out`, position: 10_000 };
}

function beginning(projectId, number) {
  const id = `${projectId}-${number}`;
  const issue = String(number);
  const taskKey = `${projectId}/${issue}`;
  const title = `Improve part ${number} of the program`;
  const branch = `issue-${number}`;
  const head = hash("a", number);
  const task = { plugin: "command", config: {} };
  const plugins = {
    agent: task,
    runtime: { plugin: "process", config: {} },
    workspace: { plugin: "worktree", config: {} },
  };
  const session = (event) => ({ stream: `session:${id}`, event });
  const change = (event) => ({ stream: `change:${projectId}/${number}`, event });
  const text = { inline: `${title}. `.repeat(20) };
  return [
    {
      stream: `task:${taskKey}`,
      event: { type: "task.claimed", key: taskKey, projectId, issue, title, sessionId: id },
    },
    ...[
      { type: "session.requested", id, projectId, taskKey, issue, title, role: "worker", ...plugins, input: "inbox" },
    ].map((event) => session({ ...event, branch, base: null, folder: branch })),
    session({ type: "message.queued", id: "m-1", kind: "task", replyTo: null, text, bytes: text.inline.length }),
    session({ type: "session.admitted" }),
    session({ type: "workspace.creating", generation: 1 }),
    session({
      type: "workspace.created",
      generation: 1,
      path: `/nowhere/${branch}`,
      branch,
      head: hash("b", number),
      baseCommit: hash("b", number),
      restoredFrom: null,
      notes: [],
    }),
    session({ type: "run.starting", run: 1, messageId: null }),
    session({ type: "run.started", run: 1, pid: 1 }),
    session({ type: "message.started", id: "m-1", run: 1, attempt: 1 }),
    session({ type: "message.written", id: "m-1", run: 1 }),
    session({ type: "message.accepted", id: "m-1", by: "received" }),
    ...Array.from({ length: REPORTS }, (_, index) => [
      session({ type: "agent.reported", state: "working", note: `step ${index + 1}` }),
      session({ type: "agent.used", inputTokens: 8000, outputTokens: 900, costUsd: 0.05, model: "model-1" }),
    ]).flat(),
    session({ type: "agent.finished", summary: `Part ${number} is better now.` }),
    session({ type: "run.ended", run: 1, code: 0, evidence: "exit code 0" }),
    session({ type: "branch.seen", turn: 1, head, ahead: 1, uncommitted: null }),
    change({
      type: "change.opened",
      projectId,
      number,
      sessionId: id,
      issue,
      title,
      body: text,
      branch,
      base: "main",
      head,
      by: "ao",
    }),
  ];
}

function ending(projectId, number) {
  const id = `${projectId}-${number}`;
  const head = hash("a", number);
  const base = hash("c", number);
  const session = (event) => ({ stream: `session:${id}`, event });
  const change = (event) => ({ stream: `change:${projectId}/${number}`, event });
  const passed = { state: "passed", code: 0, log: { inline: "ok" }, fingerprint: "", tookMs: 900 };
  return [
    change({ type: "check.started", name: "test", head, attempt: 1 }),
    change({ type: "check.finished", name: "test", head, attempt: 1, ...passed }),
    change({ type: "change.tried", kind: "clean", head, baseHead: base, files: [], reason: null }),
    change({ type: "review.given", id: "r-1", author: "ann", verdict: "approve", body: null, head, threads: [] }),
    change({ type: "merge.requested", by: "ann", strategy: "squash", deleteAfter: true, head }),
    change({ type: "change.merged", commit: hash("d", number), baseBefore: base, head }),
    session({ type: "session.stop-requested", reason: "merged" }),
    session({ type: "workspace.removed", generation: 1, preservedRef: null }),
    session({ type: "session.stopped" }),
    { stream: `task:${projectId}/${number}`, event: { type: "task.released", sessionId: id } },
    change({ type: "branch.settled", deleted: true, reason: "deleted" }),
    change({ type: "issue.settled", closed: true, reason: "closed" }),
  ];
}

function hash(letter, number) {
  return `${letter}${String(number).padStart(39, "0")}`;
}
