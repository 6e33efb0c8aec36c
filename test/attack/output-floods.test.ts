import { spawn } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { OutputView } from "../../src/protocol/views/session.ts";
import type { TranscriptPage } from "../../src/protocol/views/transcript.ts";
import { isFull } from "../../src/testing/full.ts";
import { PATIENCE_MS } from "../../src/testing/patience.ts";
import { begin, open } from "../e2e/survival/session.ts";
import { call } from "../support/api.ts";
import { type Fleet, makeFleet } from "../support/fleet.ts";

// The full run has the figures that ao promises, and needs a machine with nothing else to do; the usual one shows that
// none of them grows with what was printed, also on a busy machine.
const AGENTS = isFull ? 20 : 3;
const VIEWERS = isFull ? 20 : 5;
const MIB = (isFull ? 32 : 6) * 1024 * 1024;
const LIMITS = isFull
  ? { delayMs: 50, healthMs: 100, logsMs: 300, memoryMib: 150 }
  : { delayMs: 500, healthMs: 1000, logsMs: 5000, memoryMib: 200 };

const root = fileURLToPath(new URL("../..", import.meta.url));
const lightAgent = { command: [join(root, "test/fixtures/bin/light-agent.sh")] };

/** What an agent may print: one line, repeated up to the size of a flood, or without an end. */
const FLOODS: readonly (readonly [string, string])[] = [
  ["short lines", "1234567\n"],
  ["one line", "x".repeat(64 * 1024)],
  ["empty lines", "\n"],
  ["braces", "{\n"],
  ["lines that are almost reports", '{"type":"status","state":}\n'],
  ["reports", '{"type":"status","state":"working","note":"again"}\n'],
  [
    "reports that differ, with words",
    '{"type":"say","text":"a b c"}\n{"type":"status","state":"working","note":"a c"}\n',
  ],
  ["zeros", "\0".repeat(64 * 1024)],
];

function flood(fleet: Fleet, id: string, unit: string): void {
  const chunk = unit.repeat(Math.ceil((1024 * 1024) / unit.length));
  const file = join(fleet.home, "sessions", id, "runs", "1", "out");
  for (let written = 0; written < MIB; written += chunk.length) appendFileSync(file, chunk);
}

function readMetrics(socket: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath: socket, path: "/metrics", timeout: PATIENCE_MS }, (answer) => {
      let text = "";
      answer.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      answer.on("end", () => resolve(text));
    });
    asked.on("error", reject).end();
  });
}

const delayOf = (metrics: string): number =>
  1000 * Number(/^ao_event_loop_delay_seconds\{quantile="0\.99"\} (\S+)$/m.exec(metrics)?.[1]);

/** The most memory that the daemon had at any time, in MiB. */
const peakOf = (pid: number): number =>
  Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

/** The newest page, some before it, what came since, and the raw output: what `ao logs` and the dashboard ask for. */
async function view({ socket }: Fleet, id: string): Promise<void> {
  const page = async (query: string): Promise<TranscriptPage> => {
    const { status, body } = await call<TranscriptPage>(socket, "GET", `/api/sessions/${id}/transcript?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const newest = await page("limit=200");
  let { older } = newest;
  for (let n = 0; n < 4 && older !== null; n += 1) ({ older } = await page(`limit=1000&cursor=${older}`));
  await page(`limit=200&cursor=${newest.cursor}`);
  const output = await call<OutputView>(socket, "GET", `/api/sessions/${id}/output?last=100000`);
  expect(output.body.text.length).toBeLessThanOrEqual(1024 * 1024);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

function showLogs(fleet: Fleet, id: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, "dist/cli/ao.cjs"), "logs", id, "-n", "20", "--no-pager"], {
      env: { ...process.env, AO_HOME: fleet.home },
      stdio: "ignore",
    });
    child.once("error", reject);
    child.once("close", (code) => (code === 0 ? resolve() : reject(new Error(`ao logs ended with ${code}`))));
  });
}

interface Measured {
  readonly delayMs: number;
  readonly healthMs: number;
  readonly logsMs: number;
  readonly memoryMib: number;
}

/** What everybody else notices while each viewer looks at all of these sessions. */
async function measure(fleet: Fleet, ids: readonly string[]): Promise<Measured> {
  let isOver = false;
  const health: number[] = [];
  const logs: number[] = [];
  const watch = async (times: number[], work: (n: number) => Promise<unknown>, everyMs: number): Promise<void> => {
    for (let n = 0; !isOver; n += 1) {
      times.push(await timed(() => work(n)));
      await pause(everyMs);
    }
  };
  await readMetrics(fleet.socket);
  const watching = [
    watch(health, () => call(fleet.socket, "GET", "/healthz"), 20),
    watch(logs, (n) => showLogs(fleet, ids[n % ids.length] ?? ""), 500),
  ];
  const viewers = Array.from({ length: VIEWERS }, async (_, viewer) => {
    for (let n = 0; n < ids.length; n += 1) await view(fleet, ids[(viewer + n) % ids.length] ?? "");
  });
  await Promise.all(viewers);
  isOver = true;
  await Promise.all(watching);
  return {
    delayMs: delayOf(await readMetrics(fleet.socket)),
    healthMs: percentile(health, 0.99),
    logsMs: percentile(logs, 0.5),
    memoryMib: peakOf(fleet.daemonPid()),
  };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function expectWithin(measured: Measured, limits: Measured = LIMITS): void {
  if (isFull) console.log(JSON.stringify(measured));
  const broken = (Object.keys(limits) as (keyof Measured)[]).filter((name) => !(measured[name] <= limits[name]));
  expect(broken, JSON.stringify(measured)).toEqual([]);
}

describe("agent: output floods", () => {
  it(`${VIEWERS} viewers of ${AGENTS} agents that print short lines, and one line without an end`, async () => {
    const fleet = await makeFleet({ agentConfig: lightAgent, machine: { limits: { parallelAgents: 50 } } });
    await open(fleet);
    const ids: string[] = [];
    for (let n = 0; n <= AGENTS; n += 1) ids.push((await begin(fleet, `agent ${n}`)).id);
    for (const [n, id] of ids.entries()) flood(fleet, id, (n === AGENTS ? FLOODS[1] : FLOODS[0])?.[1] ?? "");
    expectWithin(await measure(fleet, ids));
  });

  it.each(FLOODS)("%s", async (_, unit) => {
    const fleet = await makeFleet({ agentConfig: lightAgent });
    await open(fleet);
    const { id } = await begin(fleet, "flood");
    flood(fleet, id, unit);
    // What is hidden has to be read to find what is shown; whoever looks at such output may wait, nobody else.
    expectWithin(await measure(fleet, [id]), { ...LIMITS, logsMs: isFull ? 10_000 : 30_000 });
  });
});
