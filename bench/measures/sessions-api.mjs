import { join } from "node:path";
import { createApi } from "../api.mjs";
import { IDLE_SESSIONS } from "../context.mjs";
import { interleave, percentile, timed } from "../statistics.mjs";

const REQUESTS = 2000;
const AIM_P99_MS = 6;

/** The list of all sessions over one connection that stays open, against the daemon's shortest answer. */
export async function measureSessionsApi(context) {
  const { fleet } = await context.idleFleet();
  const api = createApi(join(fleet.home, "ao.sock"), { keepAlive: true });
  const { data } = await api.call("GET", "/api/sessions");
  if (data.length !== IDLE_SESSIONS) throw new Error(`${data.length} sessions instead of ${IDLE_SESSIONS}`);
  const samples = await interleave(
    {
      floor: () => timed(() => api.call("GET", "/healthz")),
      value: () => timed(() => api.call("GET", "/api/sessions")),
    },
    { rounds: REQUESTS, warmUp: 100 },
  );
  const opened = api.opened();
  api.close();
  if (opened !== 1) throw new Error(`${opened} connections were opened instead of one`);
  return [50, 99].map((percent) => ({
    name: `GET /api/sessions, ${IDLE_SESSIONS} sessions, p${percent}`,
    unit: "ms",
    value: percentile(samples.value, percent),
    floor: percentile(samples.floor, percent),
    floorName: `GET /healthz, p${percent}`,
    aim: percent === 99 ? { on: "value", atMost: AIM_P99_MS } : null,
  }));
}
