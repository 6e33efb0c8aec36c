import { request } from "node:http";
import { startBareServer, startSeededFleet } from "../servers.mjs";
import { interleave, percentile, timed } from "../statistics.mjs";

const CLIENTS = 200;
const SESSIONS = 50;
const ROUNDS = 60;
/** Of the same bytes written by a bare server: ao also commits the change and derives its views. */
const AIM_RATIO = 5;

/** How long a change takes to reach every client of the stream of views. */
export async function measureFanOut(context) {
  const fleet = await startSeededFleet(context.world, context.pick(SESSIONS, 10));
  const bare = await startBareServer(context.world);
  const { data } = await fleet.api.call("GET", "/api/sessions");
  const { id } = data.find(({ status }) => status === "working");
  const count = context.pick(CLIENTS, 5);
  const followers = await follow(fleet.where, "/api/live", count);
  const listeners = await follow(bare.where, "/stream", count);
  const message = `data: ${JSON.stringify(data.slice(0, 2))}\nid: 1\n\n`;
  const samples = await interleave(
    {
      value: () => timed(() => reachAll(followers, () => say(fleet.api, id))),
      floor: () => timed(() => reachAll(listeners, () => bare.api.call("POST", "/stream", { message }))),
    },
    { rounds: context.pick(ROUNDS, 3), warmUp: context.pick(5, 1) },
  );
  for (const { close } of [...followers, ...listeners]) close();
  await Promise.all([fleet.stop(), bare.stop()]);
  return [50, 99].map((percent) => ({
    name: `a change until ${count} streams have it, p${percent}`,
    unit: "ms",
    value: percentile(samples.value, percent),
    floor: percentile(samples.floor, percent),
    floorName: `node:http writes to ${count} clients, p${percent}`,
    aim: { on: "ratio", atMost: AIM_RATIO },
  }));
}

function say(api, id) {
  return api.call("POST", `/api/sessions/${id}/message`, { content: "go on" });
}

/** Clients that only count how often they were written to. */
function follow(where, path, count) {
  const { token, ...target } = where;
  const headers = { host: "localhost", ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  const connect = () =>
    new Promise((resolve, reject) => {
      const client = { onMessage: () => undefined, close: () => outgoing.destroy() };
      const outgoing = request({ ...target, path, headers, agent: false }, (incoming) => {
        incoming.once("data", () => resolve(client));
        // The message with an id is the last of a change.
        incoming.on("data", (chunk) => chunk.includes("id: ") && client.onMessage());
        incoming.on("error", () => undefined);
      });
      outgoing.on("error", reject);
      outgoing.end();
    });
  return Promise.all(Array.from({ length: count }, connect));
}

/** Does something and waits until every client has received it. */
async function reachAll(clients, act) {
  const heard = clients.map(
    (client) =>
      new Promise((resolve) => {
        client.onMessage = resolve;
      }),
  );
  await act();
  await Promise.all(heard);
}
