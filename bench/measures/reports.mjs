import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createApi } from "../api.mjs";
import { readLog } from "../log.mjs";
import { usageOf } from "../proc.mjs";
import { startBareServer } from "../servers.mjs";
import { awaitFirstMessage, createSession } from "../sessions.mjs";
import { percentile, timed } from "../statistics.mjs";

const AGENTS = 200;
const SECONDS = 30;
const WARM_UP_MS = 10_000;
const REQUEST_MS = 250;
const MESSAGES = 20;
/** How long usage waits for another event to be recorded with. */
const PATIENCE_MS = 60_000;
const agent = fileURLToPath(new URL("../report-agent.bash", import.meta.url));

/** Many agents that report their state ten times a second: what it costs, and whether any fact is lost. */
export async function measureReports(context) {
  const { agents = context.pick(AGENTS, 3), seconds = context.pick(SECONDS, 2) } = context.options;
  const repo = context.world.makeRepo("reports", { "README.md": "# reports\n" }, { agentConfig: { command: [agent] } });
  const fleet = await context.openFleet([repo]);
  const titles = Array.from({ length: agents }, (_, index) => `Agent ${index + 1}`);
  const sessions = await Promise.all(titles.map((title) => createSession(fleet, repo.name, title)));
  await Promise.all(sessions.map((session) => awaitFirstMessage(fleet, session)));
  await pause(context.pick(WARM_UP_MS, 500));
  const bare = await startBareServer(context.world);
  await bare.api.call("PUT", "/", await fleet.api.call("GET", "/api/sessions"));
  const load = await measureLoad({ fleet, bare }, sessions, seconds * 1000);
  await bare.stop();
  const lost = await countLost(fleet, sessions);
  await fleet.kill();
  return toLines(load, lost, agents);
}

async function measureLoad({ fleet, bare }, sessions, ms) {
  const database = join(fleet.home, "ao.db");
  const before = { at: Date.now(), cpu: usageOf(fleet.pid).cpuSeconds, ...readLog(database) };
  for (const { id } of sessions.slice(0, MESSAGES)) {
    await fleet.api.call("POST", `/api/sessions/${id}/message`, { content: "more" });
  }
  const samples = await sampleRequests({ fleet, bare }, before.at + ms);
  const after = { at: Date.now(), cpu: usageOf(fleet.pid).cpuSeconds, ...readLog(database) };
  const elapsed = (after.at - before.at) / 1000;
  return {
    samples,
    cpuPercent: ((after.cpu - before.cpu) / elapsed) * 100,
    eventsPerSecond: (after.events - before.events) / elapsed,
    mebibytesPerHour: ((after.bytes - before.bytes) / 1024 / 1024 / elapsed) * 3600,
  };
}

// To the last byte, like the bare server beside it: the agents keep the processor busy, which slows down any server.
async function sampleRequests({ fleet, bare }, until) {
  const api = createApi(join(fleet.home, "ao.sock"), { keepAlive: true });
  const samples = { value: [], floor: [] };
  while (Date.now() < until) {
    samples.value.push(await timed(() => api.drain("/api/sessions")));
    await pause(REQUEST_MS / 2);
    samples.floor.push(await timed(() => bare.api.drain("/")));
    await pause(REQUEST_MS / 2);
  }
  api.close();
  return samples;
}

// The agents are stopped in the middle of their work: everything they printed until then must be in the log.
async function countLost(fleet, sessions) {
  await Promise.all(sessions.map(({ id }) => fleet.api.call("DELETE", `/api/sessions/${id}`, { wait: true })));
  const printed = { receipts: 0, questions: 0, ends: 0, tokens: 0 };
  for (const { id } of sessions) countPrinted(join(fleet.home, "sessions", id, "runs"), printed);
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const { receipts, questions, ends, tokens } = readLog(join(fleet.home, "ao.db"));
    const recorded = { receipts, questions, ends, tokens };
    const missing = Object.keys(printed).filter((name) => printed[name] !== recorded[name]);
    if (missing.length === 0 || Date.now() > deadline) return { printed, recorded, missing };
    await pause(500);
  }
}

function countPrinted(folder, printed) {
  for (const run of readdirSync(folder)) {
    for (const line of readFileSync(join(folder, run, "out"), "utf8")
      .split("\n")
      .slice(0, -1)) {
      const { type, inputTokens } = JSON.parse(line);
      if (type === "received") printed.receipts += 1;
      if (type === "ask") printed.questions += 1;
      if (type === "done") printed.ends += 1;
      if (type === "usage") printed.tokens += inputTokens;
    }
  }
}

function toLines({ samples, cpuPercent, eventsPerSecond, mebibytesPerHour }, lost, agents) {
  const who = `${agents} agents with 10 reports/s each`;
  const line = (name, unit, value, atMost) => ({
    ...{ name: `${who}: ${name}`, unit, value, floor: null, floorName: null },
    aim: { on: "value", atMost },
  });
  const request = (percent, atMost) => ({
    ...line(`GET /api/sessions, p${percent}`, "ms", percentile(samples.value, percent), atMost),
    floor: percentile(samples.floor, percent),
    floorName: `node:http with the same bytes, p${percent}`,
  });
  const { printed, missing, recorded } = lost;
  if (missing.length > 0)
    process.stderr.write(`  printed ${JSON.stringify(printed)}, in the log ${JSON.stringify(recorded)}\n`);
  return [
    request(50, 25),
    request(99, 50),
    line("processor time of the daemon, share of a core", "%", cpuPercent, 40),
    // Most reports are no events; states, questions and ends are.
    line("events", "/s", eventsPerSecond, 25),
    line("log per hour", "MiB", mebibytesPerHour, 19),
    line(
      `kinds of facts lost, of ${printed.receipts} receipts, ${printed.questions} questions, ${printed.ends} ends and ${printed.tokens} tokens`,
      "",
      missing.length,
      0,
    ),
  ];
}
