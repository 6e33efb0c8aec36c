import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { git } from "../../src/testing/git-repo.ts";
import { PATIENCE_MS } from "../../src/testing/patience.ts";
import { killAll } from "../support/kill-all.ts";
import { until } from "../support/until.ts";
import { makePlace, type Place, processesOf } from "./support/bridge.ts";
import { CODEX_FACTS, codex, codexEnvironment, configOf } from "./support/codex.ts";
import { describeDriverContract, TASK } from "./support/driver-contract.ts";
import { type ModelServer, startModelServer } from "./support/model-server.ts";
import { isWhole } from "./support/programs.ts";
import { hasTmux, pressUntilHeard, startTerminalBridge, type TerminalBridge } from "./support/terminal-bridge.ts";

const RESUMED = { AO_RESUME: "1" };
const INPUT = "Ask Codex to do anything";

interface Scene {
  readonly place: Place;
  readonly model: ModelServer;
  start(env?: Readonly<Record<string, string>>): TerminalBridge;
  held(name: string): Promise<boolean>;
  commits(): readonly string[];
}

async function stage(permissions: "ask" | "edits" = "edits"): Promise<Scene> {
  const place = makePlace();
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const own = codexEnvironment(place, model);
  return {
    place,
    model,
    start: (env = {}) => startTerminalBridge(place, "codex", { command: [codex], permissions }, { ...own, ...env }),
    held: (name) => until(`the model to be asked for ${name}`, () => model.isHolding(name)),
    commits: () => git(place.workspace, "log", "--format=%s", "main..").trim().split("\n").filter(Boolean),
  };
}

/** A person waits for something on the screen. */
function shows(bridge: TerminalBridge, text: string): Promise<boolean> {
  return until(`${text} on the screen`, () => bridge.screen().includes(text));
}

/** A person types a prompt at the terminal. Such fast keys may count as a paste, and the first Enter as its end. */
async function give(bridge: TerminalBridge, text: string): Promise<void> {
  bridge.type(text);
  await shows(bridge, `› ${text}`);
  const isTyped = (): boolean =>
    bridge
      .screen()
      .split("\n")
      .findLast((line) => line.startsWith("›"))
      ?.includes(text) ?? false;
  await until("the prompt to be taken", () => {
    bridge.press("Enter");
    return !isTyped();
  });
}

/** The last reported state after the last line of this type. */
function stateAfter(bridge: TerminalBridge, type: string): unknown {
  const said = bridge.said();
  const since = said.slice(said.findLastIndex((line) => line.type === type) + 1);
  return since.findLast((line) => line.type === "status")?.["state"];
}

function commit(name: string): string {
  return `touch ${name} && git add -A && git commit -qm ${name}`;
}

function victims(place: Place, part: string): readonly number[] {
  return processesOf(place)
    .filter(({ command }) => command.includes(part) && !command.includes("dist/bridge/main.js"))
    .map(({ pid }) => pid);
}

function kill(pids: readonly number[]): void {
  expect(pids).not.toEqual([]);
  killAll(pids);
}

type Death = readonly [string, (bridge: TerminalBridge, place: Place) => void];

const DEATHS: readonly Death[] = [
  ["the terminal is closed", (bridge) => bridge.closeTerminal()],
  ["its interface is killed", (_, place) => kill(victims(place, "--remote"))],
  ["its server is killed", (_, place) => kill(victims(place, "app-server"))],
  ["the bridge is killed", (bridge) => kill([bridge.pid()])],
];

const canRun = codex !== null && hasTmux;
const title = canRun ? "codex in a terminal" : "codex in a terminal (skipped: codex or tmux is not installed)";

describe.skipIf(!canRun)(title, () => {
  // `npm test` runs the most important tests; `npm run test:agents` runs all.
  describeDriverContract({
    name: "Codex in a terminal",
    ...CODEX_FACTS,
    startBridge: startTerminalBridge,
    limitMs: PATIENCE_MS,
    ...(isWhole ? {} : { only: [TASK] }),
  });

  it("serves a person at the terminal and ao in one conversation and one sandbox", async () => {
    const { place, model, start, held, commits } = await stage();
    const bridge = start();
    bridge.send({ id: "m1", kind: "task", text: `From ao. [[run: ${commit("one")}]] [[say: One is there.]]` });
    await bridge.hear({ type: "done", summary: "One is there." });
    await shows(bridge, "From ao.");
    await shows(bridge, "One is there.");
    await give(bridge, `[[run: ${commit("two")}]] [[hold: h]] [[say: As you wish.]]`);
    await held("h");
    expect(stateAfter(bridge, "done")).toBe("working");
    bridge.send({ id: "m2", kind: "message", text: `And then. [[run: ${commit("three")}]] [[say: Three.]]` });
    await bridge.see("prompt: ");
    model.release("h");
    await bridge.hear({ type: "done", summary: "As you wish." });
    await bridge.hear({ type: "done", summary: "Three." });
    expect(commits()).toEqual(["three", "two", "one"]);
    expect(model.countInLast("And then.")).toBe(1);
    await give(bridge, "[[run: touch ../outside.txt]] [[say: Outside.]]");
    await bridge.hear({ type: "done", summary: "Outside." });
    expect(existsSync(join(place.workspace, "../outside.txt"))).toBe(false);
    expect((await bridge.end()).code).toBe(143);
    expect(processesOf(place)).toEqual([]);
    // The interface records once that it looked for a screen reader.
    const own = readFileSync(join(place.home, ".codex/config.toml"), "utf8");
    expect(own.replace("\n[tui]\nscreen_reader_detection_done = true\n", "")).toBe(configOf(model));
  });

  it("takes the first answer, wherever it comes from, and an Esc at the terminal", async () => {
    const { place, start } = await stage("ask");
    // No socket can have such an address.
    const far = join(place.home, `far away ${"x".repeat(100)}`);
    const bridge = start({ AO_HOME: far, AO_SESSION: "web-1" });
    const text = "[[run: touch a.txt]] [[run: touch b.txt]] [[run: touch c.txt]] [[say: never]]";
    bridge.send({ id: "m1", kind: "task", text });
    const first = await bridge.hear({ type: "ask" });
    await shows(bridge, "1. Yes, proceed");
    await pressUntilHeard(bridge, "y", { type: "unask", id: String(first["id"]) });
    const second = await bridge.hear({ type: "ask" }, 2);
    await shows(bridge, "$ touch b.txt");
    bridge.send({ id: String(second["id"]), kind: "answer", text: "allow" });
    await bridge.hear({ type: "ask" }, 3);
    await shows(bridge, "$ touch c.txt");
    expect(bridge.screen()).not.toContain("$ touch b.txt");
    expect(["a.txt", "b.txt"].map((name) => existsSync(join(place.workspace, name)))).toEqual([true, true]);
    await pressUntilHeard(bridge, "Escape", { type: "done", summary: "interrupted" });
    await shows(bridge, "web-1");
    expect(existsSync(join(place.workspace, "c.txt"))).toBe(false);
    await bridge.end();
  });

  it("reopens if a person closes it during a turn, and exits between turns until there is work", async () => {
    const { place, model, start, held } = await stage();
    const first = start();
    first.send({ id: "m1", kind: "task", text: "Go. [[hold: h]] [[say: Gone on.]]" });
    await held("h");
    await shows(first, "Go.");
    const [before] = victims(place, "--remote");
    await give(first, "/quit");
    await until("another interface", () => victims(place, "--remote").some((pid) => pid > Number(before)));
    await shows(first, "Go.");
    model.release("h");
    await first.hear({ type: "done", summary: "Gone on." });
    expect(model.calls).toHaveLength(1);
    await shows(first, INPUT);
    await give(first, "/quit");
    expect(await first.over).toMatchObject({ code: 0 });
    expect(first.told()).toContain("note: Codex was closed in its terminal.");
    expect(processesOf(place)).toEqual([]);
    const second = start(RESUMED);
    second.send({ id: "m2", kind: "message", text: "Once more. [[say: Here.]]" });
    await second.hear({ type: "done", summary: "Here." });
    expect(model.countInLast("Go.")).toBe(1);
    await second.end();
  });

  it.each(isWhole ? DEATHS : DEATHS.slice(0, 1))("continues the same conversation if %s", async (_, strike) => {
    const { place, model, start, held, commits } = await stage();
    const text = `Do it. [[run: ${commit("one")}]] [[hold: h]] [[run: ${commit("two")}]] [[say: both]]`;
    const first = start();
    first.send({ id: "m1", kind: "task", text });
    await held("h");
    await shows(first, "Do it.");
    const former = processesOf(place).map(({ pid }) => pid);
    strike(first, place);
    await first.over;
    const second = start(RESUMED);
    second.send({ id: "m1", kind: "resume", text });
    await until("the model to be asked again", () => model.calls.length > 2);
    model.release("h");
    await second.hear({ type: "done", summary: "both" });
    expect(new Set(commits())).toEqual(new Set(["one", "two"]));
    expect(model.countInLast("Do it.")).toBe(1);
    expect((await second.hear({ type: "conversation" }))["id"]).toBe(
      (await first.hear({ type: "conversation" }))["id"],
    );
    expect(processesOf(place).filter(({ pid }) => former.includes(pid))).toEqual([]);
    await second.end();
    expect(processesOf(place)).toEqual([]);
  });
});
