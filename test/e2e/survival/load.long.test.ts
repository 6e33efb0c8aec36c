import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type ClientRequest, request } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import type { SessionDetailView } from "../../../src/protocol/views/session.ts";
import { isFull } from "../../../src/testing/full.ts";
import { tempDir } from "../../../src/testing/temp.ts";
import { type Fleet, makeFleet } from "../../support/fleet.ts";
import { until } from "../../support/until.ts";
import { open } from "./session.ts";

const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));
const MB = 1024 * 1024;
const CLIENTS = 50;

/**
 * The usual run has few agents, each ten times as busy, and as many clients: a minute of it has what takes the whole form
 * ten, so its limit is ten times as high. With more of them, messages would be so large that clients fall behind.
 */
const LOAD = isFull
  ? { agents: 200, issues: 2000, tick: "1", asks: 60, warmUpMs: 600_000, ms: 1_200_000, sampleMs: 30_000, limit: 0.2 }
  : { agents: 10, issues: 200, tick: "0.1", asks: 30, warmUpMs: 18_000, ms: 18_000, sampleMs: 1500, limit: 2 };

async function startAgents(fleet: Fleet): Promise<readonly string[]> {
  const ids: string[] = [];
  while (ids.length < LOAD.agents) {
    const titles = Array.from({ length: Math.min(10, LOAD.agents - ids.length) }, (_, n) => `task ${ids.length + n}`);
    const created = titles.map((title) => fleet.api<SessionDetailView>("POST", "/api/sessions", { title, wait: true }));
    ids.push(...(await Promise.all(created)).map(({ body }) => body.id));
  }
  return ids;
}

/** Every tenth never reads. */
function follow(fleet: Fleet, n: number): ClientRequest {
  const asked = request({ socketPath: fleet.socket, path: "/api/live", agent: false }, (answer) => {
    answer.on("error", () => undefined);
    if (n % 10 === 0) answer.pause();
    else answer.resume();
  });
  asked.on("error", () => undefined);
  asked.end();
  return asked;
}

/** What people look at meanwhile. */
async function look(fleet: Fleet, ids: readonly string[], turn: number): Promise<void> {
  const paths = ["/api/sessions", "/api/inbox", `/api/sessions/${ids[turn % ids.length]}`];
  for (const path of turn % 10 === 0 ? [...paths, "/api/projects/demo/issues"] : paths) await fleet.api("GET", path);
}

/** Growth per minute of the line that fits best. */
function slopeOf(samples: readonly { readonly at: number; readonly bytes: number }[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [at, bytes] = [mean(samples.map((one) => one.at)), mean(samples.map((one) => one.bytes))];
  const along = samples.reduce((sum, one) => sum + (one.at - at) * (one.bytes - bytes), 0);
  return (along / samples.reduce((sum, one) => sum + (one.at - at) ** 2, 0) / MB) * 60_000;
}

// What is in use after a collection, not the resident size: that also has what V8 and the allocator keep for later, which
// depends on the machine and on how busy it is.
it(`${LOAD.agents} busy agents and ${CLIENTS} clients use no more memory the longer they run`, async () => {
  const memory = join(tempDir(), "memory");
  const fleet = await makeFleet({
    entry: fixture("measured-daemon.mjs"),
    env: { AO_TEST_MEMORY: memory },
    agentConfig: { command: [fixture("bin/busy-agent.bash")] },
    projectEnv: { AO_TEST_TICK: LOAD.tick, AO_TEST_ASKS: String(LOAD.asks) },
    machine: { limits: { parallelAgents: LOAD.agents } },
  });
  const issues = join(fleet.repo, ".ao/issues");
  mkdirSync(issues, { recursive: true });
  for (let n = 1; n <= LOAD.issues; n += 1) writeFileSync(join(issues, `${n}-issue.md`), `# Issue ${n}\n\nDo it.\n`);
  await open(fleet);
  const ids = await startAgents(fleet);
  const clients = Array.from({ length: CLIENTS }, (_, n) => follow(fleet, n));
  onTestFinished(() => {
    for (const client of clients) client.destroy();
  });
  const measure = async (count: number): Promise<number> => {
    process.kill(fleet.daemonPid(), "SIGUSR2");
    const read = (): readonly string[] => (existsSync(memory) ? readFileSync(memory, "utf8").trim().split("\n") : []);
    return Number(await until("the daemon to measure its memory", () => read()[count]));
  };
  const samples: { at: number; bytes: number }[] = [];
  const started = Date.now();
  for (let turn = 0; Date.now() - started < LOAD.warmUpMs + LOAD.ms; turn += 1) {
    await look(fleet, ids, turn);
    const at = Date.now() - started - LOAD.warmUpMs;
    if (at >= samples.length * LOAD.sampleMs) samples.push({ at, bytes: await measure(samples.length) });
    await pause(500);
  }
  expect(samples.length).toBeGreaterThan(6);
  expect(slopeOf(samples)).toBeLessThan(LOAD.limit);
});
