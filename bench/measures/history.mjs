import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createApi } from "../api.mjs";
import { importFrom, writeHistory } from "../history.mjs";
import { residentMiB } from "../proc.mjs";
import { median, timed } from "../statistics.mjs";

const PAST = [100, 2000, 10_000];
const OPEN = 20;
const DECISIONS = 60;
const REQUESTS = 300;
const STARTS = 5;
const SETTLE_MS = 1000;
const AIM_RATIO = 1.5;
const AIM_START_MS = 1000;
/** The start that archives them happens once, after an upgrade. */
const AIM_FIRST_START = { ms: 2000, msForEach: 2 };

/** What a long history costs: a decision, the list of sessions, memory and the start of the daemon. */
export async function measureHistory(context) {
  const measured = [];
  for (const past of context.pick(PAST, [5, 20])) measured.push({ past, ...(await measureWith(context, past)) });
  return measured.flatMap((one) => toLines(one, measured[0]));
}

async function measureWith(context, past) {
  const fresh = await context.openFleet("tiny");
  await fresh.kill();
  const { pick, world } = context;
  const { home } = fresh;
  const database = join(home, "ao.db");
  const { name: projectId } = context.repo("tiny");
  await writeHistory({ program: world.program, database, projectId, past, open: OPEN });
  const first = await world.openFleet({ home, repos: [] });
  await untilStill(first, pick(SETTLE_MS, 100));
  await first.kill();
  const starts = [];
  for (let round = 1; round < context.pick(STARTS, 1); round += 1) {
    const again = await world.openFleet({ home, repos: [] });
    starts.push(again.startedMs);
    await again.kill();
  }
  const fleet = await world.openFleet({ home, repos: [] });
  starts.push(fleet.startedMs);
  await pause(pick(SETTLE_MS, 0));
  const api = createApi(join(home, "ao.sock"), { keepAlive: true });
  const list = await sample(pick(REQUESTS, 5), () => timed(() => api.call("GET", "/api/sessions")));
  const memory = residentMiB(fleet.pid);
  const { data } = await api.call("GET", "/api/sessions?all=true");
  if (data.length !== past + OPEN) throw new Error(`${data.length} sessions instead of ${past + OPEN}`);
  api.close();
  await fleet.kill();
  const decision = await measureDecision(world.program, database, { projectId, decisions: pick(DECISIONS, 3) });
  return { firstStart: first.startedMs, start: median(starts), list, memory, decision };
}

/** The base branch moved, as after every merge: planned and committed by the loop, without effects. */
async function measureDecision(program, database, { projectId, decisions }) {
  const { openSqliteStore } = await importFrom(program, "platform/sqlite-store.js");
  const { createLoop } = await importFrom(program, "engine/loop.js");
  const store = openSqliteStore(database);
  const log = { debug() {}, info() {}, warn() {}, error() {}, with: () => log };
  const clock = { now: Date.now, after: () => () => undefined };
  const loop = createLoop({ store, loaded: await store.load(), clock, log, faults: () => undefined });
  let count = 0;
  const decide = async () => {
    count += 1;
    const head = `e${String(count).padStart(39, "0")}`;
    const before = process.cpuUsage();
    await loop.submit({ input: { type: "base.moved", projectId, head } });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  await sample(10, decide);
  const ms = await sample(decisions, decide);
  loop.close();
  await store.close();
  return ms;
}

async function sample(times, work) {
  const samples = [];
  for (let time = 0; time < times; time += 1) samples.push(await work());
  return median(samples);
}

// The first start archives old sessions.
async function untilStill(fleet, settleMs) {
  let position = -1;
  for (;;) {
    await pause(settleMs);
    const { fleet: now } = await fleet.api.call("GET", "/api/sessions");
    if (now.position === position) return;
    position = now.position;
  }
}

function toLines(one, least) {
  const name = `${one.past.toLocaleString("en-US")} past sessions`;
  const floorName = `${least.past} past sessions`;
  const against = (key) => (one === least ? null : least[key]);
  const line = (text, unit, key, aim) => ({
    name: `${text}, ${name}`,
    unit,
    value: one[key],
    floor: against(key),
    floorName: one === least ? null : floorName,
    aim,
  });
  // The least history is what the others are compared with, and has limits of its own.
  const flat = (atMost) => (one === least ? { on: "value", atMost } : { on: "ratio", atMost: AIM_RATIO });
  return [
    line("CPU of one merge decision", "ms", "decision", flat(15)),
    line(`GET /api/sessions, ${OPEN} open sessions, p50`, "ms", "list", flat(6)),
    line("memory of the daemon", "MiB", "memory", flat(130)),
    line("restart of the daemon until it answers", "ms", "start", { on: "value", atMost: AIM_START_MS }),
    line("first start, which archives them", "ms", "firstStart", {
      on: "value",
      atMost: AIM_FIRST_START.ms + AIM_FIRST_START.msForEach * one.past,
    }),
  ];
}
