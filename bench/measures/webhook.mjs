import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { loadCompiled } from "../../scripts/load-compiled.mjs";
import { createSession } from "../sessions.mjs";
import { median } from "../statistics.mjs";

const DELIVERIES = 5;
const PATIENCE_MS = 60_000;
/** Deliveries make ao read a project at most every two seconds; the previous one must not interfere. */
const QUIET_MS = 3000;
const SECRET = "of both sides";
const agent = fileURLToPath(new URL("../loop-agent.sh", import.meta.url));

/** From a check that fails on GitHub, which sends a delivery at once, until the agent of a real daemon has the message. */
export async function measureWebhook({ world, pick }) {
  const { startFakeGithub } = await loadCompiled("src/testing/fake-github/fake-github.ts");
  const github = await startFakeGithub({ folder: join(world.dir, "github") });
  const there = github.createRepository("octo/hooked");
  const notes = join(world.dir, "webhook-notes");
  mkdirSync(notes);
  const plugin = { plugin: "github", baseUrl: github.url };
  const project = {
    ...{ repo: "octo/hooked", tracker: "local", scm: plugin, agentConfig: { command: [agent] } },
    // The time is ao's own, not that of a second run of CI.
    limits: { reruns: 0 },
  };
  const repo = world.makeRepo("hooked", { "a.txt": "a\n" }, { ...project, env: { BENCH_DIR: notes } });
  const url = there.cloneUrl.replace("://", `://x-access-token:${github.token}@`);
  // Asynchronous, so that the server in this process can answer.
  await promisify(execFile)("git", ["push", "-q", url, "main"], { cwd: repo.path });
  const env = { GITHUB_TOKEN: github.token, GITHUB_WEBHOOK_SECRET: SECRET };
  const fleet = await world.openFleet({ repos: [repo], env });
  const link = await fleet.api.call("POST", "/api/link", {});
  there.addHook(new URL("/api/webhooks/github", link.url).href, { secret: SECRET });
  const samples = await deliver(fleet, there, { notes, deliveries: pick(DELIVERIES, 1), quietMs: pick(QUIET_MS, 500) });
  await fleet.kill();
  await github.close();
  return median(samples);
}

async function deliver(fleet, there, { notes, deliveries, quietMs }) {
  const session = await createSession(fleet, "hooked", "Hooked");
  const file = join(notes, `arrivals-${session.id}`);
  await until("a pull request", () => there.record.pulls.size > 0);
  const [pull] = there.record.pulls.values();
  const samples = [];
  for (let n = 1; n <= deliveries; n += 1) {
    await pause(quietMs);
    const [arrived, head] = [arrivals(file).length, pull.head];
    const start = BigInt(Date.now()) * 1_000_000n;
    there.checks.fail(pull.number, { name: `check-${n}`, log: "expected 1, got 2" });
    await until("the message", () => arrivals(file).length > arrived);
    samples.push(Number(arrivals(file)[arrived] - start) / 1e6);
    await until("the fix", () => pull.head !== head);
  }
  return samples;
}

function arrivals(file) {
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(BigInt) : [];
}

async function until(what, isThere) {
  for (const deadline = Date.now() + PATIENCE_MS; !isThere(); await pause(5)) {
    if (Date.now() > deadline) throw new Error(`${what} did not come`);
  }
}
