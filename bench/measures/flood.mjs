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
/** Longer is felt as a hang. */
const LONGEST_TASK_MS = 200;
const LEAST_FRAMES = 30;
/** Of the same calls before: the flood is somebody else's. */
const CALLS_RATIO = { p50: 1.5, p99: 2 };
const printer = fileURLToPath(new URL("../print-agent.mjs", import.meta.url));
const CHROMIUM = process.env.AO_CHROMIUM ?? "/usr/bin/chromium";

/** A terminal that prints 10 MB/s in a fleet of 500: how it affects other calls, the daemon's memory and the dashboard. */
export async function measureFlood(context) {
  const seconds = context.options.seconds ?? context.pick(SECONDS, 1);
  // Fewer would show no wall.
  const count = context.pick(SESSIONS, 100);
  const fleet = await startSeededFleet(context.world, count);
  const { data } = await fleet.api.call("GET", "/api/sessions");
  const { id } = data.find(({ status }) => status === "working");
  const { run } = await fleet.api.call("GET", `/api/sessions/${id}`);
  const calls = ["/api/inbox", `/api/sessions/${id}`, "/api/projects"];
  const before = await sampleCalls(fleet, calls, seconds);
  const folder = join(fleet.home, "sessions", id, "runs", String(run.n));
  mkdirSync(folder, { recursive: true });
  // By its AO_HOME it is found and ended if anything fails.
  const agent = spawn(process.execPath, [printer, join(folder, "out"), String(BYTES_PER_SECOND)], {
    env: { ...context.world.env, AO_HOME: fleet.home },
    stdio: "ignore",
  });
  await pause(500);
  const viewers = ["reads", "never reads"].map((kind) => openViewer(fleet.where, id, kind === "reads"));
  const during = await sampleCalls(fleet, calls, seconds);
  for (const viewer of viewers) viewer.terminate();
  const page = existsSync(CHROMIUM) ? await measurePage(fleet, id, { seconds, count }) : [];
  agent.kill("SIGKILL");
  await fleet.stop();
  return [...toLines(before, during, count), ...page];
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
async function measurePage(fleet, id, { seconds, count }) {
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
      ...["rows in the DOM", "cells of the wall"].map((name, n) =>
        toLine(count, { name, unit: "", value: [rows, cells][n], aim: { on: "value", atMost: MOST_ROWS } }),
      ),
      toLine(count, {
        name: "longest task of the page",
        unit: "ms",
        value: longest,
        aim: { on: "value", atMost: LONGEST_TASK_MS },
      }),
      toLine(count, {
        name: "frames of the page",
        unit: "/s",
        value: frames / seconds,
        aim: { on: "value", atLeast: LEAST_FRAMES },
      }),
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

function toLine(count, { name, ...line }) {
  return { floor: null, floorName: null, ...line, name: `${count} sessions and 10 MB/s: ${name}` };
}

function toLines(before, during, count) {
  const calls = Object.entries(CALLS_RATIO).map(([which, atMost]) =>
    toLine(count, {
      name: `other calls, ${which}`,
      unit: "ms",
      value: during[which],
      floor: before[which],
      floorName: `before, ${which}`,
      aim: { on: "ratio", atMost },
    }),
  );
  const memory = toLine(count, {
    name: "most memory of the daemon",
    unit: "MiB",
    value: during.memory,
    floor: before.memory,
    floorName: "before",
    aim: { on: "difference", atMost: MOST_GROWTH_MIB },
  });
  return [...calls, memory];
}
