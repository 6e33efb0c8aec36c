import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { git } from "../../../src/testing/git-repo.ts";
import { killAll } from "../../support/kill-all.ts";
import { until } from "../../support/until.ts";
import { makePlace, type Place, processesOf, type RunningBridge, startBridge } from "./bridge.ts";
import { recordFact } from "./facts.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import type { Said } from "./transcript.ts";

/** An agent behind the bridge, and what it cannot do. */
export interface DriverContract {
  readonly name: string;
  /** The folder of the real program; absent for a stand-in. */
  readonly program?: string;
  readonly driver: string;
  /** How the bridge is started; default: with pipes. */
  readonly startBridge?: StartBridge;
  /** Settings without the policy; `place` is where it runs. */
  settings(place: Place, model: ModelServer): Readonly<Record<string, unknown>>;
  /** Variables that point it at the scripted model; may write files below the place's home. */
  environment(place: Place, model: ModelServer): Readonly<Record<string, string>>;
  /** Changes the user's own settings so that it would act without asking; returns further variables. */
  loosen?(place: Place): Readonly<Record<string, string>>;
  /** It may run a command without asking, in a sandbox of its own. */
  readonly confines?: boolean;
  /** A part of the command line of the agent's own process. */
  readonly process: string;
  /** A script by which it adds a file and a commit of this name; default: with a command. */
  commit?(name: string): string;
  /** What it does not do, by the name of the test, with the reason. */
  readonly skip?: Readonly<Record<string, string>>;
  /** Only these; a variant covers the others. */
  readonly only?: readonly string[];
  /** After it dies, its conversation cannot be reopened; a new one gets a recap. */
  readonly forgets?: boolean;
  /** none: no tokens; turns: those of a turn that was cut off are lost; calls: of each model call. */
  readonly usage: "none" | "turns" | "calls";
  /** It does not report which tokens were cached. */
  readonly hidesCache?: boolean;
  /** It does not report which model it uses. */
  readonly hidesModel?: boolean;
  /** Model service failures that it reports at once instead of retrying for minutes. */
  readonly errors: readonly (401 | 429 | 500)[];
  /** Prompts are typed into its input line, which takes no tabs. */
  readonly isTyped?: boolean;
  readonly limitMs: number;
}

type StartBridge = (
  place: Place,
  driver: string,
  settings: unknown,
  env: Readonly<Record<string, string>>,
) => RunningBridge;

interface Bench {
  readonly place: Place;
  readonly model: ModelServer;
  start(policy?: Readonly<Record<string, unknown>>, env?: Readonly<Record<string, string>>): RunningBridge;
  held(name: string): Promise<boolean>;
  commits(): readonly string[];
}

/** The name of the test that every agent passes first. */
export const TASK = "takes a task, uses a tool, commits, and takes a second message";

/** The name of the test that an agent does not act on its own. */
export const UNLISTED = "asks about a command that nobody allowed, or confines it, whatever the user's own mode is";

/** The names of the tests that kill the agent. */
export const DEATHS = [
  "continues the same conversation after a kill -9 in the middle of a turn",
  "delivers a message once if it dies before answering",
] as const;

const ALL = { permissions: "all" };
const RESUMED = { AO_RESUME: "1" };

/** The facts about every real or fixture agent that `ao` relies on. */
export function describeDriverContract(contract: DriverContract): void {
  const limit = { timeout: contract.limitMs };
  const fact = (name: string, run: () => Promise<void>): void => {
    const reason = contract.skip?.[name];
    if (contract.only !== undefined && !contract.only.includes(name)) return;
    if (reason === undefined) it(name, limit, run);
    else it.skip(`${name} (${reason})`, run);
  };
  const bench = (): Promise<Bench> => makeBench(contract);
  const commit = contract.commit ?? ((name: string) => `[[run: ${commandToCommit(name)}]]`);

  describe(`${contract.name}, behind the bridge`, () => {
    fact(TASK, async () => {
      const { place, model, start, commits } = await bench();
      const bridge = start(ALL);
      bridge.send({ id: "m1", kind: "task", text: `${commit("one")} [[say: It is done.]]` });
      expect(await bridge.hear({ type: "done" })).toMatchObject({ summary: "It is done." });
      expect(commits()).toEqual(["one"]);
      expectTold(bridge, { words: "It is done.", file: "one.txt" });
      bridge.send({ id: "m2", kind: "message", text: `${commit("two")} [[say: And that too.]]` });
      await bridge.hear({ type: "done", summary: "And that too." });
      expect(commits()).toEqual(["two", "one"]);
      expect(idsOf(bridge, "received")).toEqual(["m1", "m2"]);
      if (contract.usage !== "none") expectUsage([bridge], model, contract);
      await bridge.end();
      expect(processesOf(place)).toEqual([]);
    });

    fact("holds a message until the turn is over and delivers it once", async () => {
      const { model, start, held } = await bench();
      const bridge = start(ALL);
      bridge.send({ id: "m1", kind: "task", text: "First. [[run: true]] [[hold: h]] [[say: first]]" });
      await held("h");
      bridge.send({ id: "m2", kind: "message", text: "Second. [[say: second]]" });
      await bridge.hear({ type: "received", id: "m1" });
      expect(idsOf(bridge, "received")).toEqual(["m1"]);
      model.release("h");
      await bridge.hear({ type: "done", summary: "second" });
      expect(bridge.said().map(({ summary }) => summary)).toContain("first");
      expect(model.countInLast("Second.")).toBe(1);
      await bridge.end();
    });

    fact("asks a person and obeys the answer", async () => {
      const { place, start } = await bench();
      const bridge = start({ permissions: "ask" });
      bridge.send({ id: "m1", kind: "task", text: "[[run: touch yes.txt]] [[run: touch no.txt]] [[say: over]]" });
      const first = await bridge.hear({ type: "ask" });
      expect(first).toMatchObject({ kind: "permission", detail: { text: expect.stringContaining("touch yes.txt") } });
      expect(existsSync(join(place.workspace, "yes.txt"))).toBe(false);
      answer(bridge, first, "allow");
      const second = await bridge.hear({ type: "ask" }, 2);
      expect(second["detail"]).toMatchObject({ text: expect.stringContaining("touch no.txt") });
      answer(bridge, second, String((second["choices"] as readonly string[]).at(-1)));
      await bridge.hear({ type: "done" });
      expect(existsSync(join(place.workspace, "yes.txt"))).toBe(true);
      expect(existsSync(join(place.workspace, "no.txt"))).toBe(false);
      await bridge.end();
    });

    fact(UNLISTED, async () => {
      const { place, model, start } = await bench();
      const bridge = start({ permissions: "ask" }, contract.loosen?.(place) ?? {});
      const text = "[[run: echo x > ../unlisted.txt; echo x > unlisted.txt]] [[say: over]]";
      bridge.send({ id: "m1", kind: "task", text });
      await until("a question or the end", () => bridge.said().some(isAskOrEnd), contract.limitMs);
      expect(existsSync(join(place.workspace, "unlisted.txt"))).toBe(false);
      const asked = bridge.said().find(({ type }) => type === "ask");
      if (contract.confines !== true)
        expect(asked).toMatchObject({ detail: { text: expect.stringContaining("unlisted") } });
      if (asked !== undefined) {
        // What a person who answers with 1 everywhere expects.
        expect((asked["choices"] as readonly string[])[0]).toBe("allow");
        answer(bridge, asked, "no");
        await bridge.hear({ type: "done" });
      }
      for (const folder of ["..", "."]) {
        expect(existsSync(join(place.workspace, folder, "unlisted.txt"))).toBe(false);
      }
      // Nothing else was asked of the model, such as whether the command may run.
      expect(
        model.calls.filter(({ turns }) => turns.some((turn) => turn.text.includes("Pending tool call to classify"))),
      ).toEqual([]);
      await bridge.end();
      const unlisted = asked === undefined ? "confined" : "asked";
      recordFact({ program: contract.program, unlisted });
    });

    fact("does what the policy allows without asking", async () => {
      const { place, start } = await bench();
      const bridge = start({ permissions: "ask", allow: ["touch *"], deny: ["touch b.txt"] });
      bridge.send({ id: "m1", kind: "task", text: "[[run: touch a.txt]] [[run: touch b.txt]] [[say: over]]" });
      await bridge.hear({ type: "done" });
      expect(existsSync(join(place.workspace, "a.txt"))).toBe(true);
      expect(existsSync(join(place.workspace, "b.txt"))).toBe(false);
      expect(bridge.said().some(({ type }) => type === "ask")).toBe(false);
      await bridge.end();
    });

    fact("ends its turn when interrupted, with or without an open question, and takes the next message", async () => {
      const { start, held } = await bench();
      const bridge = start({ permissions: "ask" });
      bridge.send({ id: "m1", kind: "task", text: "[[hold: h]] [[say: never]]" });
      await held("h");
      bridge.sendLine('{"type":"interrupt","id":"i1"}');
      expect(await bridge.hear({ type: "done" })).toMatchObject({ summary: "interrupted" });
      bridge.send({ id: "m2", kind: "message", text: "[[run: touch never.txt]] [[say: never]]" });
      await bridge.hear({ type: "ask" });
      bridge.sendLine('{"type":"interrupt","id":"i2"}');
      await bridge.hear({ type: "done" }, 2);
      bridge.send({ id: "m3", kind: "message", text: "[[say: here]]" });
      await bridge.hear({ type: "done", summary: "here" });
      await bridge.end();
    });

    fact(DEATHS[0], async () => {
      const { place, model, start, held, commits } = await bench();
      const text = `Do it. ${commit("one")} [[hold: h]] ${commit("two")} [[say: both]]`;
      const first = start(ALL);
      first.send({ id: "m1", kind: "task", text });
      await held("h");
      await first.hear({ type: "received", id: "m1" });
      killAgent(place, contract.process);
      expect(await first.over).toMatchObject({ code: 1 });
      expect(processesOf(place)).toEqual([]);
      model.release("h");
      const second = start(ALL, RESUMED);
      second.send({ id: "m1", kind: "resume", text });
      await second.hear({ type: "done" });
      expect(new Set(commits())).toEqual(new Set(["one", "two"]));
      const ids = [first, second].flatMap((bridge) => idsOf(bridge, "conversation"));
      expect(ids[0] === ids[1]).toBe(contract.forgets !== true);
      expect(model.countInLast("Do it.")).toBe(1);
      await second.end();
      if (contract.usage === "calls") expectUsage([first, second], model, contract);
      expect(processesOf(place)).toEqual([]);
    });

    fact(DEATHS[1], async () => {
      const { place, model, start, held } = await bench();
      const first = start(ALL);
      first.send({ id: "m0", kind: "task", text: "Zero. [[say: zero]]" });
      await first.hear({ type: "done" });
      first.send({ id: "m1", kind: "message", text: "One. [[hold: h]] [[say: one]]" });
      await held("h");
      killAgent(place, contract.process);
      await first.over;
      model.release("h");
      const second = start(ALL, RESUMED);
      second.send({ id: "m1", kind: "message", text: "One. [[hold: h]] [[say: one]]", attempt: 2 });
      await second.hear({ type: "done" });
      expect(model.countInLast("Zero.")).toBe(1);
      expect(model.countInLast("One.")).toBe(1);
      second.send({ id: "m2", kind: "message", text: "Two. [[say: two]]" });
      await second.hear({ type: "done", summary: "two" });
      // Earlier messages are not news; a conversation that got a recap may answer it.
      if (contract.forgets !== true) expect(second.told()).not.toContain("say: zero");
      await second.end();
      if (contract.usage !== "none") expectUsage([first, second], model, contract);
    });

    fact("says why a request failed and continues with the next message", async () => {
      const { start } = await bench();
      const bridge = start(ALL);
      for (const status of contract.errors) {
        bridge.send({ id: `m${status}`, kind: "message", text: `Fail. [[error: ${status}]]` });
        await bridge.hear({ type: "received", id: `m${status}` });
        // What passes does not end the turn: it resumes when that is over, or with the next message.
        const state = status === 401 ? "errored" : "rate-limited";
        await until("the state", () => bridge.said().at(-1)?.["state"] === state, contract.limitMs);
        expect(bridge.said().at(-1)?.["note"]).toMatch(new RegExp(`scripted|${status}`));
      }
      bridge.send({ id: "m2", kind: "message", text: "[[say: fine again]]" });
      await bridge.hear({ type: "done", summary: "fine again" });
      await bridge.end();
    });

    fact(`gets a message of ${contract.isTyped === true ? "64 KiB" : "a megabyte"} whole`, async () => {
      const { model, start } = await bench();
      const bytes = contract.isTyped === true ? 2 ** 16 : 2 ** 20;
      const line = contract.isTyped === true ? 'äöü \\ " 🎉 line\n' : 'äöü \\ " \t 🎉 line\n';
      const text = `[[say: read]] ${line.repeat(bytes / 20)}end`;
      expect(Buffer.byteLength(text)).toBeGreaterThan(bytes);
      const bridge = start(ALL);
      bridge.send({ id: "m1", kind: "task", text });
      expect(await bridge.hear({ type: "done" })).toMatchObject({ summary: "read" });
      expect(model.countInLast(text)).toBe(1);
      await bridge.end();
    });
  });
}

function isAskOrEnd({ type, state }: Said): boolean {
  return type === "ask" || type === "done" || state === "errored";
}

async function makeBench(contract: DriverContract): Promise<Bench> {
  const place = makePlace();
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const environment = contract.environment(place, model);
  const launch: StartBridge = contract.startBridge ?? startBridge;
  return {
    place,
    model,
    start: (policy = {}, env = {}) => {
      const settings = { ...contract.settings(place, model), ...policy };
      return launch(place, contract.driver, settings, { ...environment, ...env });
    },
    held: (name) => until(`the model to be asked for ${name}`, () => model.isHolding(name), contract.limitMs),
    commits: () => git(place.workspace, "log", "--format=%s", "main..").trim().split("\n").filter(Boolean),
  };
}

/** A command that adds a commit. */
function commandToCommit(name: string): string {
  return `echo ${name} >> ${name}.txt && git add -A && git commit -q -m ${name}`;
}

function answer(bridge: RunningBridge, question: Said, text: string): void {
  bridge.send({ id: String(question["id"]), kind: "answer", text });
}

function idsOf(bridge: RunningBridge, type: string): readonly unknown[] {
  return bridge
    .said()
    .filter((line) => line.type === type)
    .map(({ id }) => id);
}

/** The transcript has the words once, the change to the file, and each tool once with its result. */
function expectTold(bridge: RunningBridge, { words, file }: { readonly words: string; readonly file: string }): void {
  const told = bridge.told();
  expect(told.filter((line) => line === `say: ${words}`)).toHaveLength(1);
  expect(told.some((line) => /^(tool|note)/.test(line) && line.includes(file))).toBe(true);
  const tools = told.filter((line) => line.startsWith("tool "));
  expect(new Set(tools).size).toBe(tools.length);
  expect(told.filter((line) => /^(ok|failed):/.test(line))).toHaveLength(tools.length);
}

/** The reported usage equals what the model sent, under its name. */
function expectUsage(bridges: readonly RunningBridge[], model: ModelServer, contract: DriverContract): void {
  const lines = bridges.flatMap((bridge) => bridge.said()).filter(({ type }) => type === "usage");
  const sum = (name: string): number => lines.reduce((total, line) => total + Number(line[name]), 0);
  const told = { inputTokens: sum("inputTokens"), outputTokens: sum("outputTokens") };
  expect(told).toEqual(model.handedOut());
  expect(sum("cachedTokens")).toBe(contract.hidesCache === true ? 0 : model.handedOutCached());
  const names = new Set(lines.map((line) => line["model"]?.toString().split("/").at(-1)));
  expect(names).toEqual(new Set(contract.hidesModel === true ? [undefined] : model.calls.map((call) => call.model)));
}

function killAgent(place: Place, command: string): void {
  const found = processesOf(place).filter((process) => process.command.includes(command));
  const agents = found.filter((process) => !process.command.includes("dist/bridge/main.js"));
  expect(agents).not.toEqual([]);
  killAll(agents.map(({ pid }) => pid));
}
