import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { SessionEvent } from "../../../src/core/session/events.ts";
import { evolveSession } from "../../../src/core/session/evolve.ts";
import type { SessionState } from "../../../src/core/session/state.ts";
import { deriveStatus } from "../../../src/core/session/status.ts";
import { chooseSocket, exactTarget, nameTmuxSession } from "../../../src/plugins/runtime/tmux/names.ts";
import { tell } from "../../e2e/survival/session.ts";
import { until } from "../../support/until.ts";
import { LIMIT, type Scene, type SceneOptions, stage, strike } from "./session.ts";
import type { SessionAgent } from "./session-agents.ts";
import { createRecorder, type Recorder } from "./state-recording.ts";
import { expectedAt, findFaults, type MomentName, type Seen, YES } from "./state-table.ts";

/** An agent for the state story. */
export interface Actor {
  readonly agent: SessionAgent;
  /** Of its recording. */
  readonly name: string;
  readonly errors: readonly (401 | 429 | 500)[];
  /** Those that it retries forever. */
  readonly retries?: readonly (429 | 500)[];
  /** What a person does with its own interface; without it, it has none. */
  readonly keys?: Keys;
  /** Skips what takes long with slowly starting programs. */
  readonly isShort?: boolean;
  /** After it dies, a new conversation gets a recap, with all scripts in it. */
  readonly forgets?: boolean;
}

interface Keys {
  /** Its question on the screen, and the key that accepts it. */
  readonly dialog: RegExp;
  readonly yes: string;
  /** Ends the turn early; default: through `ao`. */
  readonly stop?: string;
  quit(terminal: Terminal): Promise<void>;
}

/** A person at a session's terminal. */
export interface Terminal {
  press(...keys: readonly string[]): void;
  type(text: string): void;
  screen(): string;
  close(): void;
}

interface Stage extends Scene {
  readonly id: string;
  readonly actor: Actor;
  readonly recorder: Recorder;
  terminal(): Promise<Terminal>;
  at(moment: MomentName): Promise<void>;
}

const OPTIONS: SceneOptions = {
  policy: { permissions: "ask", allow: ["sh *"] },
  files: { "wait.sh": "touch running\nuntil test -e go; do sleep 0.05; done\n" },
};
const TASK = [
  "[[hold: accepted]] [[run: sh wait.sh]] [[run: touch asked.txt]] [[hold: answered]]",
  "[[say: All done.]]",
];
const TYPED = "touch typed.txt; until test -e go-on; do sleep 0.05; done";
const TASK_TYPED = [TASK[0], `[[run: ${TYPED}]]`, TASK[1]];

/** Brings a session with a real agent to every moment and checks what people see. */
export async function tellOfStates(actor: Actor): Promise<void> {
  const scene = await stage(actor.agent, OPTIONS);
  const text = (actor.keys === undefined ? TASK : TASK_TYPED).join(" ");
  const id = await scene.begin("states", text);
  const recorder = createRecorder(join(scene.fleet.home, "sessions", id, "runs"));
  const all: Stage = {
    ...scene,
    ...{ id, actor, recorder },
    terminal: () => openTerminal(scene, id),
    at: async (moment) => {
      await seeMoment(scene, id, moment);
      recorder.reached(moment);
    },
  };
  await throughTheTask(all);
  await throughErrors(all);
  await throughInterrupt(all);
  await throughDeaths(all);
  if (process.env["AO_RECORD"] === "1") recorder.save(actor.name, strangeTo(scene, actor));
}

function strangeTo({ fleet, home, model }: Scene, { agent }: Actor): Readonly<Record<string, string>> {
  const [program = ""] = agent.command ?? [];
  const places = { [fleet.dir]: "/fleet", [home]: "/home/user", [program]: agent.plugin };
  return { ...places, [model.url.replace("http://", "")]: "model" };
}

async function seeMoment({ fleet }: Scene, id: string, moment: MomentName): Promise<void> {
  let faults: readonly string[] = [];
  const isRight = async (): Promise<boolean> => {
    faults = findFaults(expectedAt(moment), await fleet.session(id));
    return faults.length === 0;
  };
  await until(moment, isRight, LIMIT).catch(() => expect.fail(`${moment}: ${faults.join("; ")}`));
}

async function throughTheTask({ fleet, model, id, actor, recorder, terminal, at, held }: Stage): Promise<void> {
  await held("accepted");
  await at("prompt accepted");
  model.release("accepted");
  const workspace = String((await fleet.session(id)).workspacePath);
  await until("the tool to run", () => existsSync(join(workspace, "running")), LIMIT);
  await at("tool running");
  writeFileSync(join(workspace, "go"), "");
  await at("permission question");
  const choice = (await fleet.session(id)).question?.choices.find((text) => YES.test(text));
  await fleet.write("POST", `/api/sessions/${id}/permission`, { choice });
  await held("answered");
  recorder.answered("answer given");
  await at("answer given");
  model.release("answered");
  if (actor.keys !== undefined) {
    await at("question at the keyboard");
    await answerAtKeyboard(await terminal(), actor.keys);
    await until("the tool to run", () => existsSync(join(workspace, "typed.txt")), LIMIT);
    await at("answered at the keyboard");
    writeFileSync(join(workspace, "go-on"), "");
  }
  await at("turn ended");
}

// A dialog that just opened may not accept its key yet.
async function answerAtKeyboard({ screen, press }: Terminal, { dialog, yes }: Keys): Promise<void> {
  const isShown = (): boolean => dialog.test(screen());
  await until("the dialog", isShown, LIMIT);
  const answer = (): Promise<boolean> => {
    if (isShown()) press(yes);
    return until("the dialog to go", () => !isShown(), 1000);
  };
  await until("the answer to be taken", answer, LIMIT);
}

async function throughErrors({ fleet, id, actor, at }: Stage): Promise<void> {
  for (const status of actor.errors) {
    await tell(fleet, id, `Fail. [[error: ${status}]]`);
    const isTriedAgain = status !== 401 && actor.retries?.includes(status) === true;
    await at(status === 500 && isTriedAgain ? "API error 500, tried again" : `API error ${status}`);
    if (!isTriedAgain) continue;
    await fleet.write("POST", `/api/sessions/${id}/interrupt`);
    await at("interrupt");
  }
  await tell(fleet, id, "[[say: Fine again.]]");
  await at("after the errors");
}

async function throughInterrupt({ fleet, id, actor, terminal, at, held }: Stage): Promise<void> {
  await fleet.write("POST", `/api/sessions/${id}/message`, { content: "[[hold: cut]] [[say: never]]" });
  await held("cut");
  await at("next prompt accepted");
  if (actor.keys?.stop !== undefined) (await terminal()).press(actor.keys.stop);
  else await fleet.write("POST", `/api/sessions/${id}/interrupt`);
  await at("interrupt");
}

async function throughDeaths(scene: Stage): Promise<void> {
  const { fleet, model, id, actor, terminal, at } = scene;
  const deaths: readonly (readonly [MomentName, MomentName, () => Promise<void>])[] = [
    ["process killed", "back after the kill", () => strike(scene.programs)],
    ...(actor.isShort === true
      ? []
      : ([["bridge killed", "back after the bridge's kill", () => strike(scene.bridges)]] as const)),
    ...(actor.keys === undefined
      ? []
      : ([["terminal closed", "back in a new terminal", async () => (await terminal()).close()]] as const)),
  ];
  await tell(fleet, id, "Go on. [[run: sh wait.sh]] [[hold: last]] [[say: Still here.]]");
  await scene.held("last");
  for (const [moment, back, strikeNow] of deaths) {
    const { run } = await fleet.session(id);
    await strikeNow();
    await sawPassing(scene, moment, run.n);
    if (actor.forgets === true) return;
    await scene.heldAgain("last");
    await at(back);
    await scene.held("last");
  }
  model.release("last");
  await at("turn ended after all");
  expect(new Set(scene.conversations(id, 1 + deaths.length)).size).toBe(1);
  if (actor.keys === undefined) return;
  const { run } = await fleet.session(id);
  await actor.keys.quit(await terminal());
  await endOf(scene, "quit by a person", run.n);
  await seeMoment(scene, id, "quit by a person");
}

/** What people could see just after the end of a run, by the log. */
async function sawPassing(scene: Stage, moment: MomentName, run: number): Promise<void> {
  const states = await endOf(scene, moment, run);
  expect(findFaults(expectedAt(moment), states), moment).toEqual([]);
}

async function endOf({ fleet, id, recorder }: Stage, moment: MomentName, run: number): Promise<Seen> {
  const { event, seen } = await until(`the end of run ${run}`, () => findEnd(fleet, id, run), LIMIT);
  recorder.ended(moment, run, { code: event.code, evidence: event.evidence });
  return seen;
}

type Ended = Extract<SessionEvent, { readonly type: "run.ended" }>;

async function findEnd(
  fleet: Scene["fleet"],
  id: string,
  run: number,
): Promise<{ readonly event: Ended; readonly seen: Seen } | null> {
  const path = `/api/sessions/${id}/timeline?internal=true`;
  const { body } = await fleet.api<{ data: readonly { type: string; at: string; data: object }[] }>("GET", path);
  let session: SessionState | undefined;
  for (const { type, at, data } of body.data) {
    const event = { type, ...data } as SessionEvent;
    session = evolveSession(session, event, Date.parse(at));
    if (event.type !== "run.ended" || event.run !== run || session === undefined) continue;
    return { event, seen: { ...deriveStatus(session, { paused: false }), question: session.question } };
  }
  return null;
}

async function openTerminal({ fleet }: Scene, id: string): Promise<Terminal> {
  const { run } = await fleet.session(id);
  const target = exactTarget(nameTmuxSession({ sessionId: id, run: run.n }));
  const tmux = (...args: readonly string[]): string =>
    execFileSync("tmux", ["-u", "-S", chooseSocket(fleet.home).path, ...args], { encoding: "utf8", stdio: "pipe" });
  return {
    press: (...keys) => void tmux("send-keys", "-t", target, ...keys),
    type: (text) => void tmux("send-keys", "-l", "-t", target, text),
    screen: () => tmux("capture-pane", "-p", "-t", target),
    close: () => void tmux("kill-session", "-t", target),
  };
}
