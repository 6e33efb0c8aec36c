import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createApi } from "../api.mjs";
import { endAll, processesBelow } from "../proc.mjs";
import { loadAgents } from "../real-agents.mjs";
import { createSession, removeSession } from "../sessions.mjs";
import { median } from "../statistics.mjs";

const ROUNDS = 5;
const FLOOR_ROUNDS = 15;
const PATIENCE_MS = 120_000;
/** A real program takes its own time; more than this would be an attempt that failed. */
const REAL_MS = 5000;
const plain = fileURLToPath(new URL("../states-agent.mjs", import.meta.url));
const FILES = {
  "tool.sh":
    'date +%s%N >"started-$1.tmp"\nmv "started-$1.tmp" "started-$1"\nuntil test -e "go-$1"; do sleep 0.02; done\n',
};

/** Moments, and how many ms bridge and daemon may add to a line that is only printed. */
const MOMENTS = {
  "prompt accepted": 100,
  "tool running": 100,
  "permission question": 100,
  "answer given": 100,
  "turn ended": 100,
  "API error": 100,
  interrupt: 100,
  "process killed": 500,
  "back after the kill": 500,
};

/** From an event in the agent until `GET /api/sessions/:id` shows it. */
export async function measureStates(context) {
  const { pick, world } = context;
  const { startModelServer, standIn, real } = await loadAgents(join(world.dir, "program/agents"));
  for (const { title, command } of real) if (command === null) process.stderr.write(`  ${title} is not installed\n`);
  const agents = [standIn, ...pick(real, []).filter(({ command }) => command !== null)];
  // Each has its own model: releasing a hold for one must not release it for the next.
  const models = await Promise.all(agents.map(() => startModelServer()));
  const floorRepo = world.makeRepo("said", FILES, { agentConfig: { command: [plain] } });
  const repos = agents.map((agent, n) => makeRepo(world, agent, `states-${n}`, models[n]));
  const fleet = await context.openFleet([floorRepo, ...repos]);
  const floor = median(await measureFloor(fleet, floorRepo.name, pick(FLOOR_ROUNDS, 2)));
  const lines = [];
  for (const [n, agent] of agents.entries()) {
    process.stderr.write(`  ${agent.title} ...\n`);
    const samples = await measureAgent({ fleet, agent, model: models[n], project: repos[n].name }, pick(ROUNDS, 1));
    lines.push(...Object.keys(MOMENTS).map((name) => toLine(agent, name, median(samples[name]), floor, standIn)));
  }
  await fleet.kill();
  for (const model of models) await model.close();
  return lines;
}

function toLine(agent, moment, value, floor, standIn) {
  const atMost = agent === standIn ? MOMENTS[moment] : REAL_MS;
  return {
    name: `${moment}, ${agent.title}`,
    ...{ unit: "ms", value, floor, floorName: "a line that an agent prints" },
    aim: { on: "difference", atMost },
  };
}

function makeRepo(world, agent, name, model) {
  const user = join(world.dir, `user-${name}`);
  const [home, tmp] = ["home", "tmp"].map((folder) => join(user, folder));
  for (const folder of [home, tmp]) mkdirSync(folder, { recursive: true });
  const repo = world.makeRepo(name, FILES, {
    agent: agent.plugin,
    agentConfig: { command: agent.command, ...agent.config, permissions: "ask", allow: ["sh *"] },
    env: { HOME: home, TMPDIR: tmp, ...agent.environment({ home }, model) },
    ...agent.project,
  });
  agent.prepare?.(home, repo.path);
  return repo;
}

// The same for all: polling over one connection.
function watchSession(fleet, id) {
  const api = createApi(join(fleet.home, "ao.sock"), { keepAlive: true });
  const look = () => api.call("GET", `/api/sessions/${id}`);
  const see = async (isSeen) => {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const session = await look();
      const at = now();
      if (isSeen(session)) return { at, session };
      if (Date.now() > deadline) throw new Error(`${id} stays ${session.status}: ${session.evidence}`);
      await pause(1);
    }
  };
  return { see, close: api.close };
}

async function measureFloor(fleet, project, rounds) {
  const { id } = await createSession(fleet, project, "Floor");
  const { see, close } = watchSession(fleet, id);
  const samples = [];
  for (let n = 0; n < rounds; n += 1) {
    await see(({ status }) => status === "idle");
    await fleet.api.call("POST", `/api/sessions/${id}/message`, { content: "say" });
    const { at, session } = await see(({ evidence }) => evidence.startsWith("said at"));
    samples.push(at - Number(session.evidence.replace("said at ", "")));
    await fleet.api.call("POST", `/api/sessions/${id}/message`, { content: "end" });
  }
  close();
  await removeSession(fleet, id);
  return samples;
}

async function measureAgent({ fleet, model, agent, project }, rounds) {
  const session = await fleet.api.call("POST", "/api/sessions", {
    ...{ projectId: project, title: "States", prompt: "[[say: Ready.]]", wait: true },
  });
  const { see, close } = watchSession(fleet, session.id);
  const samples = Object.fromEntries(Object.keys(MOMENTS).map((name) => [name, []]));
  const round = {
    ...{ fleet, model, agent, session, see },
    send: (content) => fleet.api.call("POST", `/api/sessions/${session.id}/message`, { content }),
    held: (name) => until(() => model.isHolding(name)),
    note: (name, from, { at }) => samples[name].push(Math.max(0, at - from)),
  };
  await see(({ evidence }) => evidence.endsWith("Ready."));
  for (let n = 1; n <= rounds; n += 1) {
    await takeTurn(round, n);
    await takeTrouble(round, n);
    await takeKill(round, n);
  }
  close();
  await removeSession(fleet, session.id);
  return samples;
}

async function takeTurn({ fleet, model, session, see, send, held, note }, n) {
  const tool = `[[run: sh tool.sh ${n}]] [[hold: ask-${n}]] [[run: touch asked-${n}]] [[hold: end-${n}]]`;
  await send(`[[hold: begin-${n}]] ${tool} [[say: Turn ${n}.]]`);
  await held(`begin-${n}`);
  note("prompt accepted", now(), await see(({ state }) => state === "working"));
  model.release(`begin-${n}`);
  const running = await see(({ evidence }) => evidence.includes(`tool.sh ${n}`));
  const started = join(session.workspacePath, `started-${n}`);
  await until(() => existsSync(started));
  note("tool running", Number(readFileSync(started, "utf8")) / 1e6, running);
  writeFileSync(join(session.workspacePath, `go-${n}`), "");
  await held(`ask-${n}`);
  const asked = now();
  model.release(`ask-${n}`);
  const question = await see(({ status }) => status === "needs-input");
  note("permission question", asked, question);
  const choice = question.session.question.choices.find((text) => /^allow/i.test(text));
  const answered = now();
  await fleet.api.call("POST", `/api/sessions/${session.id}/permission`, { choice });
  note("answer given", answered, await see(({ state }) => state === "working"));
  await held(`end-${n}`);
  const ended = now();
  model.release(`end-${n}`);
  note("turn ended", ended, await see(({ evidence }) => evidence.endsWith(`Turn ${n}.`)));
}

async function takeTrouble({ fleet, model, session, see, send, held, note }, n) {
  await send(`[[hold: fail-${n}]] [[error: 401]]`);
  await held(`fail-${n}`);
  const failed = now();
  model.release(`fail-${n}`);
  note("API error", failed, await see(({ status }) => status === "errored"));
  await send(`[[hold: cut-${n}]] [[say: never]]`);
  await held(`cut-${n}`);
  await see(({ state }) => state === "working");
  const cut = now();
  await fleet.api.call("POST", `/api/sessions/${session.id}/interrupt`);
  note("interrupt", cut, await see(({ evidence }) => evidence.endsWith("interrupted")));
}

async function takeKill({ fleet, model, agent, see, send, held, note }, n) {
  await send(`[[run: sh tool.sh ${n}]] [[hold: kill-${n}]] [[say: Back ${n}.]]`);
  await held(`kill-${n}`);
  const before = await see(({ state }) => state === "working");
  const killed = now();
  endAll(programsOf(fleet, agent));
  note(
    "process killed",
    killed,
    await see(({ status, run }) => status === "restarting" || run.n > before.session.run.n),
  );
  await until(() => !model.isHolding(`kill-${n}`));
  await held(`kill-${n}`);
  note(
    "back after the kill",
    killed,
    await see(({ status, run }) => status === "working" && run.n > before.session.run.n),
  );
  model.release(`kill-${n}`);
  await see(({ evidence }) => evidence.endsWith(`Back ${n}.`));
}

function programsOf(fleet, agent) {
  return processesBelow(fleet.home).filter((pid) => {
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return command.includes(agent.process) && !command.includes("dist/bridge/main.js");
  });
}

async function until(look) {
  const deadline = Date.now() + PATIENCE_MS;
  while (!look()) {
    if (Date.now() > deadline) throw new Error(`waited for two minutes in vain: ${look}`);
    await pause(1);
  }
}

function now() {
  return performance.timeOrigin + performance.now();
}
