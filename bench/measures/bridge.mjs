import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const COUNT = 5;
/** After this the first garbage collections are over. */
const SETTLE_MS = 2000;
const AIM_MIB = 18;

const pathOf = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Memory of one session's bridge, with a stand-in agent that waits for its first prompt. */
export async function measureBridge(context) {
  const { createNodeHost } = await import(pathOf("dist/platform/host.js"));
  const { createSilentLog } = await import(pathOf("dist/platform/log.js"));
  const { args } = createNodeHost({ log: createSilentLog() }).assets.bridge;
  const command = [process.execPath, pathOf("test/fixtures/agents/acp-agent.mjs")];
  const bridge = [...args, "acp", JSON.stringify({ command })];
  return [
    {
      name: "memory of a bridge (PSS), one of five",
      unit: "MiB",
      value: await pssOf(context, bridge),
      floor: await pssOf(context, ["-e", "console.log(1); process.stdin.resume()"]),
      floorName: "a Node that waits",
      aim: { on: "value", atMost: AIM_MIB },
    },
  ];
}

/** The mean proportional set size of several processes; shared memory is divided among them, as among sessions. */
async function pssOf({ world, repo, pick }, args) {
  const count = pick(COUNT, 1);
  const children = [];
  try {
    for (let n = 0; n < count; n += 1) {
      const env = { ...world.env, AO_HOME: join(world.dir, "bridges"), AO_SESSION: `bridge-${n}` };
      const child = spawn(process.execPath, args, { cwd: repo("tiny").path, env, stdio: ["pipe", "pipe", "inherit"] });
      children.push(child);
      await once(child.stdout, "data");
    }
    await pause(pick(SETTLE_MS, 0));
    const sizes = children.map(
      ({ pid }) => /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1],
    );
    return sizes.reduce((sum, size) => sum + Number(size), 0) / count / 1024;
  } finally {
    for (const child of children) child.kill("SIGTERM");
  }
}
