import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { git } from "../../src/testing/git-repo.ts";
import { PATIENCE_MS } from "../../src/testing/patience.ts";
import { killAll } from "../support/kill-all.ts";
import { until } from "../support/until.ts";
import { makePlace, type Place, processesOf, type RunningBridge, startBridge } from "./support/bridge.ts";
import { type DriverContract, describeDriverContract, UNLISTED } from "./support/driver-contract.ts";
import { type ModelServer, startModelServer } from "./support/model-server.ts";
import { describeUnknownMessage } from "./support/unknown-message.ts";

const bin = (name: string): string => fileURLToPath(new URL(`../fixtures/bin/${name}`, import.meta.url));
const AIDER = { command: [bin("aider.mjs")], permissions: "all" };
const CURSOR = { command: [bin("cursor-agent.mjs")], permissions: "all" };

const NO_QUESTIONS = "it runs where nobody can answer it";
const SKIP = {
  "asks a person and obeys the answer": NO_QUESTIONS,
  [UNLISTED]: "`ask` is refused before it starts",
  "does what the policy allows without asking": "`ask` with exceptions is refused before it starts",
  "ends its turn when interrupted, with or without an open question, and takes the next message": NO_QUESTIONS,
};

function aStandIn(
  more: Pick<DriverContract, "name" | "driver" | "settings" | "process"> & Partial<DriverContract>,
): void {
  describeDriverContract({
    environment: (_, model) => variables(model),
    skip: SKIP,
    usage: "turns",
    errors: [401, 429, 500],
    limitMs: PATIENCE_MS,
    ...more,
  });
}

function variables(model: ModelServer): Readonly<Record<string, string>> {
  return { MODEL_URL: model.url, CURSOR_API_KEY: "key" };
}

aStandIn({
  name: "a stand-in for Aider",
  driver: "aider",
  settings: () => AIDER,
  process: "aider.mjs",
  commit: edit,
  usage: "calls",
});
aStandIn({
  name: "a stand-in for Cursor",
  driver: "cursor",
  settings: () => CURSOR,
  process: "cursor-agent.mjs",
});

describeUnknownMessage("cursor", CURSOR);

/** A script that changes a file; Aider commits it. */
function edit(name: string): string {
  return `[[tool: edit {"path": "${name}.txt", "text": "${name}"}]]`;
}

interface Bench {
  readonly place: Place;
  readonly model: ModelServer;
  start(settings: Readonly<Record<string, unknown>>, env?: Readonly<Record<string, string>>): RunningBridge;
}

async function makeBench(driver: string): Promise<Bench> {
  const place = makePlace();
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const start: Bench["start"] = (settings, env) =>
    startBridge(place, driver, settings, { ...variables(model), ...env });
  return { place, model, start };
}

describe.each([
  ["aider", AIDER],
  ["cursor", CURSOR],
])("a turn of %s", (driver, settings) => {
  it("ends when interrupted, and the next message starts a new one", async () => {
    const { place, model, start } = await makeBench(driver);
    const bridge = start(settings);
    bridge.send({ id: "m1", kind: "task", text: "First. [[hold: h]] [[say: never]]" });
    await until("the model to be asked", () => model.isHolding("h"));
    bridge.sendLine('{"type":"interrupt","id":"i1"}');
    expect(await bridge.hear({ type: "done" })).toMatchObject({ summary: "interrupted" });
    expect(processesOf(place)).toHaveLength(1);
    bridge.send({ id: "m2", kind: "message", text: "Second. [[say: here]]" });
    await bridge.hear({ type: "done", summary: "here" });
    expect(model.countInLast("First.")).toBe(1);
    await bridge.end();
    expect(bridge.told()).not.toContain("say: never");
  });

  it("treats a message that looks like one of its own commands as text", async () => {
    const { place, model, start } = await makeBench(driver);
    const bridge = start(settings);
    bridge.send({ id: "m1", kind: "task", text: "!touch run.txt [[say: words]]" });
    expect(await bridge.hear({ type: "done" })).toMatchObject({ summary: "words" });
    expect(model.countInLast("The message:\n!touch run.txt")).toBe(1);
    expect(existsSync(join(place.workspace, "run.txt"))).toBe(false);
    await bridge.end();
  });

  it("gets its message only once if it is killed together with the bridge", async () => {
    const { place, model, start } = await makeBench(driver);
    const text = "Do it. [[hold: h]] [[say: done]]";
    const first = start(settings);
    first.send({ id: "m1", kind: "task", text });
    await until("the model to be asked", () => model.isHolding("h"));
    await first.hear({ type: "received", id: "m1" });
    killAll(processesOf(place).map(({ pid }) => pid));
    await first.over;
    model.release("h");
    const second = start(settings, { AO_RESUME: "1" });
    second.send({ id: "m1", kind: "task", text, attempt: 2 });
    await second.hear({ type: "done", summary: "done" });
    expect(model.countInLast("Do it.")).toBe(1);
    await second.end();
  });

  it("reports in one sentence that its program cannot be started", async () => {
    const { start } = await makeBench(driver);
    const bridge = start({ ...settings, command: ["no-such-agent"] });
    bridge.send({ id: "m1", kind: "task", text: "x" });
    const told = await bridge.hear({ state: "errored" });
    expect(told["note"]).toMatch(/no-such-agent/);
  });

  it("is refused if it would have to ask", async () => {
    const { start } = await makeBench(driver);
    const { code, stderr } = await start({ ...settings, permissions: "ask" }).over;
    expect([code, stderr]).toEqual([2, expect.stringMatching(/Invalid settings for (Aider|Cursor): permissions/)]);
  });
});

describe("Aider", () => {
  it("leaves only its commits in the workspace and reuses its repository map", async () => {
    const { place, start } = await makeBench("aider");
    const bridge = start(AIDER);
    bridge.send({ id: "m1", kind: "task", text: `${edit("one")} [[say: one]]` });
    await bridge.hear({ type: "done", summary: "one" });
    bridge.send({ id: "m2", kind: "message", text: `${edit("two")} [[say: two]]` });
    await bridge.hear({ type: "done", summary: "two" });
    await bridge.end();
    expect(readdirSync(place.workspace).sort()).toEqual([".git", "README.md", "one.txt", "two.txt"]);
    expect(git(place.workspace, "status", "--porcelain")).toBe("");
    const folder = join(git(place.workspace, "rev-parse", "--absolute-git-dir").trim(), "ao-bridge/aider");
    expect(readFileSync(join(folder, ".aider.tags.cache.v4/cache.db"), "utf8")).toBe("tags\ntags\n");
  });

  it("reports cost, and summarizes a turn without text by what it did", async () => {
    const { start } = await makeBench("aider");
    const bridge = start({ ...AIDER, model: "sonnet" });
    bridge.send({ id: "m1", kind: "task", text: edit("one").replace("]]", "]] [[say: ]]") });
    expect(await bridge.hear({ type: "done" })).toMatchObject({ summary: expect.stringMatching(/^Commit \w+ one$/) });
    expect(bridge.said().find(({ type }) => type === "usage")).toMatchObject({
      inputTokens: 1200,
      cachedTokens: 200,
      costUsd: 0.01,
      model: "sonnet",
    });
    await bridge.end();
  });

  it("passes on what its program says about invalid arguments", async () => {
    const { start } = await makeBench("aider");
    const bridge = start({ ...AIDER, command: [...AIDER.command, "--bogus"] });
    bridge.send({ id: "m1", kind: "task", text: "x" });
    expect((await bridge.hear({ state: "errored" }))["note"]).toMatch(/^Aider failed: .*--bogus/);
    await bridge.end();
  });
});

describe("Cursor", () => {
  it("obeys deny rules kept outside the user's configuration", async () => {
    const { place, start } = await makeBench("cursor");
    const bridge = start({ ...CURSOR, deny: ["Shell(touch)"] });
    bridge.send({ id: "m1", kind: "task", text: "[[run: touch a.txt]] [[run: echo x > b.txt]] [[say: over]]" });
    await bridge.hear({ type: "done", summary: "over" });
    expect(existsSync(join(place.workspace, "a.txt"))).toBe(false);
    expect(existsSync(join(place.workspace, "b.txt"))).toBe(true);
    expect(existsSync(join(place.home, ".cursor"))).toBe(false);
    await bridge.end();
  });

  it("reports when the plan's limit ends", async () => {
    const { start } = await makeBench("cursor");
    const bridge = start(CURSOR);
    bridge.send({ id: "m1", kind: "task", text: "[[error: 429]]" });
    expect(await bridge.hear({ state: "rate-limited" })).toMatchObject({ until: "2031-11-18T00:00:00.000Z" });
    await bridge.end();
  });

  it("refuses to start without a login and says what to do", async () => {
    const { start } = await makeBench("cursor");
    const { code, stderr } = await start(CURSOR, { CURSOR_API_KEY: "" }).over;
    expect([code, stderr]).toEqual([1, expect.stringMatching(/Cursor is not logged in \(.*cursor-agent login/)]);
  });
});
