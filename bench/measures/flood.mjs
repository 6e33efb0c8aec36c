import { spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";
import { residentMiB } from "../proc.mjs";
import { startSeededFleet } from "../servers.mjs";
import { percentile, timed } from "../statistics.mjs";

const SESSIONS = 500;
const BYTES_PER_SECOND = 10_000_000;
const SECONDS = 10;
const MOST_GROWTH_MIB = 100;
const MOST_ROWS = 60;
const printer = fileURLToPath(new URL("../print-agent.mjs", import.meta.url));
const CHROMIUM = process.env.AO_CHROMIUM ?? "/usr/bin/chromium";

/** A terminal that prints 10 MB/s in a fleet of 500: how it affects other calls, the daemon's memory and the dashboard. */
export async function measureFlood(context) {
  const seconds = context.options.seconds ?? SECONDS;
  const fleet = await startSeededFleet(context.world, SESSIONS);
  const { data } = await fleet.api.call("GET", "/api/sessions");
  const { id } = data.find(({ status }) => status === "working");
  const { run } = await fleet.api.call("GET", `/api/sessions/${id}`);
  const calls = ["/api/inbox", `/api/sessions/${id}`, "/api/projects"];
  const before = await sampleCalls(fleet, calls, seconds);
  const folder = join(fleet.home, "sessions", id, "runs", String(run.n));
  mkdirSync(folder, { recursive: true });
  const agent = spawn(process.execPath, [printer, join(folder, "out"), String(BYTES_PER_SECOND)], { stdio: "ignore" });
  await pause(500);
  const viewers = ["reads", "never reads"].map((kind) => openViewer(fleet.where, id, kind === "reads"));
  const during = await sampleCalls(fleet, calls, seconds);
  for (const viewer of viewers) viewer.terminate();
  const page = existsSync(CHROMIUM) ? await measurePage(fleet, id, seconds) : [];
  agent.kill("SIGKILL");
  await fleet.stop();
  return [...toLines(before, during), ...page];
}

function openViewer({ port, token }, id, isReading) {
  const headers = { host: "localhost", authorization: `Bearer ${token}` };
  const viewer = new WebSocket(`ws://127.0.0.1:${port}/api/sessions/${id}/terminal`, { headers });
  viewer.on("error", () => undefined);
  if (!isReading) viewer.on("open", () => viewer.pause());
  return viewer;
}

/** Alternating calls for some seconds, and the daemon's peak memory meanwhile. */
async function sampleCalls(fleet, paths, seconds) {
  const samples = [];
  let memory = 0;
  const until = Date.now() + seconds * 1000;
  for (let turn = 0; Date.now() < until; turn += 1) {
    const ms = await timed(() => fleet.api.read(paths[turn % paths.length]));
    if (turn >= paths.length * 3) samples.push(ms);
    memory = Math.max(memory, residentMiB(fleet.pid));
    await pause(10);
  }
  return { p50: percentile(samples, 50), p99: percentile(samples, 99), memory };
}

/** The dashboard in Chromium: the fleet, then the terminal that prints. */
async function measurePage(fleet, id, seconds) {
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const { url } = await fleet.api.call("POST", "/api/link", {});
    await page.goto(url);
    const list = page.locator("main:not([aria-busy]) .list");
    await list.locator(".row").first().waitFor();
    // The wall is not a list: it shows the sessions with the 60 latest signals.
    await list.locator(".wall-cell").first().waitFor();
    const [rows, cells] = [await list.locator(".row").count(), await list.locator(".wall-cell").count()];
    await page.goto(new URL(`/s/${id}?tab=terminal`, url).href);
    await page.getByText("live", { exact: true }).first().waitFor();
    const { longest, frames } = await page.evaluate(watchFrames, seconds * 1000);
    return [
      toLine("rows in the DOM", "", rows, MOST_ROWS),
      toLine("cells of the wall", "", cells, MOST_ROWS),
      toLine("longest task of the page", "ms", longest, null),
      toLine("frames of the page", "/s", frames / seconds, null),
    ];
  } finally {
    await browser.close();
  }
}

/** Runs in the page. */
function watchFrames(ms) {
  return new Promise((resolve) => {
    let longest = 0;
    let frames = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
    }).observe({ entryTypes: ["longtask"] });
    const end = performance.now() + ms;
    const next = (now) => {
      frames += 1;
      if (now < end) requestAnimationFrame(next);
      else resolve({ longest, frames });
    };
    requestAnimationFrame(next);
  });
}

function toLine(name, unit, value, atMost) {
  return {
    ...{ name: `${SESSIONS} sessions and 10 MB/s: ${name}`, unit, value, floor: null, floorName: null },
    aim: atMost === null ? null : { on: "value", atMost },
  };
}

function toLines(before, during) {
  const against = (floor, floorName) => ({ floor, floorName });
  return [
    { ...toLine("other calls, p50", "ms", during.p50, null), ...against(before.p50, "before, p50") },
    { ...toLine("other calls, p99", "ms", during.p99, null), ...against(before.p99, "before, p99") },
    {
      ...toLine("most memory of the daemon", "MiB", during.memory, null),
      ...against(before.memory, "before"),
      aim: { on: "difference", atMost: MOST_GROWTH_MIB },
    },
  ];
}
