import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { countWatchers, processesBelow, residentMiB, usageOf } from "../proc.mjs";

const MINUTE_MS = 60_000;
/** After the start of many sessions, V8 collects garbage once more in the first quiet minute; that is not the cost of being idle. */
const SETTLE_MS = 60_000;
const AIM_MIB = 110;
const AIM_CPU_SECONDS = 0.3;
const AIM_PROCESSES = 5;
const AIM_WATCHERS = 5;
/** Agents that wait and their holders use none at all; a clock tick may fall on one. */
const AIM_AGENTS_CPU_SECONDS = 0.1;
/** The agent, and what holds it, feeds it and records its end. */
const AIM_FOR_EACH = 4;

/** The second minute in which nothing changes: memory, processor time and processes started. */
export async function measureIdle(context) {
  const { fleet, sessions, spawnLog } = await context.idleFleet();
  await pause(context.pick(SETTLE_MS, 100));
  const agents = processesBelow(fleet.home).filter((pid) => pid !== fleet.pid);
  const before = { ...usageOf(fleet.pid), agents: cpuOf(agents), spawned: countLines(spawnLog) };
  await pause(context.pick(MINUTE_MS, 100));
  const after = { ...usageOf(fleet.pid), agents: cpuOf(agents), spawned: countLines(spawnLog) };
  const spawned = after.spawned - before.spawned;
  if (spawned === 0 && after.childFaults > before.childFaults) {
    throw new Error("the daemon started processes past the hook of spawn-log.mjs");
  }
  const shared = { unit: "s", floor: null, floorName: null };
  return [
    {
      name: `memory of the daemon, ${sessions.length} idle sessions`,
      unit: "MiB",
      value: residentMiB(fleet.pid),
      floor: await bareNodeMiB(context),
      floorName: "a Node that waits",
      aim: { on: "value", atMost: AIM_MIB },
    },
    {
      ...shared,
      name: "processor time of the daemon, idle minute",
      value: after.cpuSeconds - before.cpuSeconds,
      aim: { on: "value", atMost: AIM_CPU_SECONDS },
    },
    {
      ...shared,
      name: `processor time of ${sessions.length} agents and holders, idle minute`,
      value: after.agents - before.agents,
      aim: { on: "value", atMost: AIM_AGENTS_CPU_SECONDS },
    },
    {
      ...shared,
      name: "processes started by the daemon, idle minute",
      unit: "",
      value: spawned,
      aim: { on: "value", atMost: AIM_PROCESSES },
    },
    {
      ...shared,
      name: `inotify instances of ${sessions.length} sessions and the daemon`,
      unit: "",
      value: countWatchers([fleet.pid, ...agents]),
      aim: { on: "value", atMost: AIM_WATCHERS },
    },
    {
      ...shared,
      name: "processes for each session",
      unit: "",
      value: agents.length / sessions.length,
      aim: { on: "value", atMost: AIM_FOR_EACH },
    },
  ];
}

function cpuOf(pids) {
  return pids.reduce((sum, pid) => sum + usageOf(pid).cpuSeconds, 0);
}

function countLines(file) {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0;
}

async function bareNodeMiB(context) {
  const script = 'process.stdout.write("up"); setInterval(() => undefined, 60_000);';
  const child = spawn(process.execPath, ["-e", script], {
    env: context.world.env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(child.stdout, "data");
  const size = residentMiB(child.pid);
  child.kill("SIGKILL");
  return size;
}
