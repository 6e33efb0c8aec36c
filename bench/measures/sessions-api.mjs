import { createApi } from "../api.mjs";
import { startBareServer, startSeededFleet } from "../servers.mjs";
import { interleave, percentile, timed } from "../statistics.mjs";

const MANY_SESSIONS = 1000;
/** By the 99th percentile; half of all requests take less than half of it. */
const AIM_MS = { few: 6, many: 15 };
/** Shorter than the floor plus a request, so that no request gets the previous answer. */
const BUSY_MS = 5;

/** The list of all sessions, to its last byte, over one connection that stays open, against a bare server that answers the same bytes. */
export async function measureSessionsApi(context) {
  const { fleet, sessions: idle } = await context.idleFleet();
  const rounds = context.pick(2000, 5);
  const few = await compare(context, fleet.socketPath, { sessions: idle.length, rounds, aimMs: AIM_MS.few });
  const many = await compareSeeded(context, {}, "");
  const busy = await compareSeeded(context, { signalMs: BUSY_MS }, ", agents report all the time");
  return [...few, ...many, ...busy];
}

async function compareSeeded(context, options, suffix) {
  const sessions = context.pick(MANY_SESSIONS, 20);
  const rounds = context.pick(500, 5);
  const seeded = await startSeededFleet(context.world, sessions, options);
  const lines = await compare(context, seeded.where, { sessions, rounds, aimMs: AIM_MS.many, suffix });
  await seeded.stop();
  return lines;
}

async function compare(context, where, { sessions, rounds, aimMs, suffix = "" }) {
  const api = createApi(where, { keepAlive: true });
  const answer = await api.call("GET", "/api/sessions");
  if (answer.data.length < sessions * 0.9) throw new Error(`${answer.data.length} sessions instead of ${sessions}`);
  const bare = await startBareServer(context.world);
  await bare.api.call("PUT", "/", answer);
  const samples = await interleave(
    {
      floor: () => timed(() => bare.api.drain("/")),
      value: () => timed(() => api.drain("/api/sessions")),
    },
    { rounds, warmUp: context.pick(50, 1) },
  );
  api.close();
  await bare.stop();
  return [50, 99].map((percent) => ({
    name: `GET /api/sessions, ${sessions.toLocaleString("en-US")} sessions${suffix}, p${percent}`,
    unit: "ms",
    value: percentile(samples.value, percent),
    floor: percentile(samples.floor, percent),
    floorName: `node:http with the same bytes, p${percent}`,
    aim: { on: "value", atMost: percent === 99 ? aimMs : aimMs / 2 },
  }));
}
