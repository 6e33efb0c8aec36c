import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AttachView } from "../../src/protocol/views/session.ts";
import { main, openShell } from "../e2e/cli/shell.ts";
import { eventsOf, reach } from "../e2e/survival/session.ts";
import type { Fleet } from "../support/fleet.ts";
import { until } from "../support/until.ts";
import { isWhole } from "./support/programs.ts";
import { commit, LIMIT, type Scene, stage } from "./support/session.ts";
import { type SessionAgent, TERMINAL_AGENTS } from "./support/session-agents.ts";

/** A person at a terminal who took over a session. */
interface Person {
  /** Leaves the agent's terminal as tmux wants it. */
  leave(): void;
  /** Closes the window under `ao`. */
  vanish(): void;
  /** What the terminal shows. */
  screen(): string;
}

/** A person types `ao attach SESSION --takeover` and sees the agent's own interface. */
async function takeOver({ fleet }: Scene, id: string): Promise<Person> {
  const desk = join(fleet.dir, "desk.sock");
  const atDesk = (...args: readonly string[]): string =>
    execFileSync("tmux", ["-u", "-S", desk, "-f", "/dev/null", ...args], {
      encoding: "utf8",
      stdio: "pipe",
      env: { ...process.env, AO_HOME: fleet.home },
    });
  onTestFinished(() => void spawnSync("tmux", ["-S", desk, "kill-server"]));
  atDesk("new-session", "-d", "-x", "150", "-y", "40", "sh");
  atDesk("set-option", "-g", "prefix", "None");
  atDesk("send-keys", "-l", `${process.execPath} ${main} attach ${id} --takeover`);
  atDesk("send-keys", "Enter");
  const person: Person = {
    leave: () => void atDesk("send-keys", "C-b", "d"),
    vanish: () => void spawnSync("tmux", ["-S", desk, "kill-server"]),
    screen: () => atDesk("capture-pane", "-p"),
  };
  await until("the person to be attached", () => countClients(fleet) > 0, LIMIT).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${person.screen()}`);
  });
  return person;
}

function countClients(fleet: Fleet): number {
  const listed = spawnSync("tmux", ["-S", join(fleet.home, "tmux.sock"), "list-clients"], { encoding: "utf8" });
  return listed.stdout.split("\n").filter(Boolean).length;
}

function cardOf(fleet: Fleet, id: string): string {
  return readFileSync(join(fleet.home, "sessions", id, "session.json"), "utf8");
}

async function attachOf(fleet: Fleet, id: string): Promise<AttachView["command"]> {
  return (await fleet.api<AttachView>("GET", `/api/sessions/${id}/attach`)).body.command;
}

function structured(agent: SessionAgent): SessionAgent {
  return { ...agent, project: {} };
}

async function fromPipesToTerminalAndBack(agent: SessionAgent): Promise<void> {
  const scene = await stage(structured(agent));
  const { fleet, model } = scene;
  const id = await scene.begin("talk", `Do it. [[run: ${commit("one")}]] [[hold: h]] [[say: all]]`);
  await scene.held("h");
  expect(await attachOf(fleet, id)).toBeNull();
  const person = await takeOver(scene, id);
  expect(await fleet.session(id)).toMatchObject({ runtime: "tmux", movedFrom: "process" });
  await until("a rebuilt store to know of it", () => cardOf(fleet, id).includes('"plugin": "tmux"'));
  await scene.heldAgain("h");
  const sent = await fleet.write("POST", `/api/sessions/${id}/message`, { content: "Then this. [[say: then]]" });
  expect(sent.status).toBe(202);
  model.release("h");
  await reach(fleet, id, "done in the terminal", ({ summary }) => summary === "then", LIMIT);
  await until("the person to see it", () => person.screen().includes("then"), LIMIT);
  const finished = async (): Promise<number> =>
    (await eventsOf(fleet, id)).filter((type) => type === "agent.finished").length;
  const turns = await finished();
  person.leave();
  await until("it to be handed back", () => person.screen().includes(`Handed back; ${id}`), LIMIT);
  await reach(fleet, id, "back", ({ runtime, run }) => runtime === "process" && run.n === 3, LIMIT);
  expect(await finished()).toBe(turns);
  await fleet.write("POST", `/api/sessions/${id}/message`, { content: "And now. [[say: again]]" });
  const done = await reach(fleet, id, "done again", ({ summary }) => summary === "again", LIMIT);
  expect(done).toMatchObject({ runtime: "process", movedFrom: null, run: { n: 3, state: "alive" } });
  expect(done.messages.map(({ delivery }) => delivery)).toEqual(["delivered", "delivered", "delivered"]);
  expect(await finished()).toBe(turns + 1);
  expect(done.cost.inputTokens).toBeLessThanOrEqual(model.handedOut().inputTokens);
  expect(new Set(scene.conversations(id, 3)).size).toBe(1);
  for (const text of ["Do it.", "Then this.", "And now."]) expect(model.countInLast(text), text).toBe(1);
  expect(await attachOf(fleet, id)).toBeNull();
  expect(cardOf(fleet, id)).not.toContain("tmux");
}

async function throughDeaths(agent: SessionAgent): Promise<void> {
  const scene = await stage(structured(agent));
  const { fleet, model } = scene;
  const id = await scene.begin("die", "Do it. [[hold: h]] [[say: all]]");
  await scene.held("h");
  // It is unknown how far it got: the daemon dies with the answer.
  expect((await fleet.write("POST", `/api/sessions/${id}/runtime`, { runtime: "tmux" })).status).toBe(202);
  await fleet.kill();
  await fleet.start();
  const person = await takeOver(scene, id);
  await scene.heldAgain("h");
  await scene.held("h");
  person.vanish();
  await reach(fleet, id, "handed back", ({ runtime, run }) => runtime === "process" && run.n === 3, LIMIT);
  await scene.heldAgain("h");
  model.release("h");
  await reach(fleet, id, "done", ({ summary }) => summary === "all", LIMIT);
  expect(new Set(scene.conversations(id, 3)).size).toBe(1);
  expect(model.countInLast("Do it.")).toBe(1);
  expect((await eventsOf(fleet, id)).filter((type) => type === "session.moved")).toHaveLength(2);
}

async function withoutTerminal(agent: SessionAgent): Promise<void> {
  const scene = await stage(structured(agent));
  const { fleet } = scene;
  const id = await scene.begin("talk", "[[say: all]]");
  await reach(fleet, id, "done", ({ summary }) => summary === "all", LIMIT);
  const shell = openShell(fleet.repo, { ...(process.env as Record<string, string>), AO_HOME: fleet.home });
  const typed = await shell.ao("attach", id, "--takeover");
  expect(typed).toMatchObject({ code: 2, err: expect.stringContaining("--takeover needs a terminal") });
  expect((await fleet.session(id)).run.n).toBe(1);
}

// What differs between agents is in the bridge, so `npm test` has one of them.
const agents = TERMINAL_AGENTS.filter(({ plugin }) => isWhole || plugin === "codex");

for (const agent of agents) {
  describe.skipIf(agent.command === null)(`a takeover of ${agent.title}`, () => {
    it("continues its turn in the terminal, and then headless again", () => fromPipesToTerminalAndBack(agent));
    it("survives the daemon and the person's terminal", () => throughDeaths(agent));
    it("is refused without a terminal", () => withoutTerminal(agent));
  });
}
