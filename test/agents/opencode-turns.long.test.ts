import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makePlace, type Place, processesOf, type RunningBridge, startBridge } from "./support/bridge.ts";
import { type ModelServer, startModelServer } from "./support/model-server.ts";
import { opencode, opencodeEnvironment, writeConfig } from "./support/opencode.ts";
import { isWhole } from "./support/programs.ts";

const LIMIT = 300_000;

interface Bench {
  readonly place: Place;
  readonly model: ModelServer;
  start(settings: Readonly<Record<string, unknown>>): RunningBridge;
}

async function makeBench(own: object = {}): Promise<Bench> {
  const place = makePlace();
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const env = opencodeEnvironment(place, model);
  writeConfig(place, model, own);
  return {
    place,
    model,
    start: (settings) => startBridge(place, "opencode", { command: [opencode], ...settings }, env),
  };
}

const has = ({ workspace }: Place, name: string): boolean => existsSync(join(workspace, name));
const asked = (bridge: RunningBridge): readonly unknown[] => bridge.said().filter(({ type }) => type === "ask");

describe.skipIf(opencode === null || !isWhole)("a turn of the real opencode", () => {
  it("says until when it is rate limited, and can be interrupted meanwhile", async () => {
    const { start } = await makeBench();
    const bridge = start({ permissions: "all" });
    bridge.send({ id: "m1", kind: "task", text: "Fail. [[error: 429]]" });
    const waiting = await bridge.hear({ type: "status", state: "rate-limited" });
    expect(waiting["note"]).toContain("429");
    expect(Date.parse(String(waiting["until"]))).toBeGreaterThan(Date.now() - LIMIT);
    await bridge.hear({ type: "status", state: "rate-limited" }, 2);
    bridge.sendLine('{"type":"interrupt","id":"i1"}');
    expect(await bridge.hear({ type: "done" })).toMatchObject({ summary: "interrupted" });
    bridge.send({ id: "m2", kind: "message", text: "[[say: fine]]" });
    await bridge.hear({ type: "done", summary: "fine" });
    await bridge.end();
  });

  it("obeys the user's own rules besides the policy and leaves the user's configuration unchanged", async () => {
    const { place, model, start } = await makeBench();
    const own = { permission: { bash: { "touch own*": "allow", "touch never*": "deny" }, webfetch: "deny" } };
    writeConfig(place, model, own);
    const config = join(place.home, ".config/opencode/opencode.json");
    const before = readFileSync(config, "utf8");
    const bridge = start({ permissions: "ask", deny: ["touch own-b.txt"] });
    const commands = ["touch own-a.txt", "touch own-b.txt", "touch never.txt"].map((command) => `[[run: ${command}]]`);
    const fetching = '[[tool: webfetch {"url":"http://127.0.0.1:1/","format":"text"}]]';
    bridge.send({ id: "m1", kind: "task", text: `${commands.join(" ")} ${fetching} [[say: over]]` });
    await bridge.hear({ type: "done", summary: "over" });
    expect(["own-a.txt", "own-b.txt", "never.txt"].map((name) => has(place, name))).toEqual([true, false, false]);
    expect(asked(bridge)).toEqual([]);
    bridge.send({ id: "m2", kind: "message", text: "[[run: touch other.txt]] [[say: over]]" });
    bridge.send({ id: String((await bridge.hear({ type: "ask" }))["id"]), kind: "answer", text: "allow" });
    await bridge.hear({ type: "done" }, 2);
    expect(has(place, "other.txt")).toBe(true);
    await bridge.end();
    expect(readFileSync(config, "utf8")).toBe(before);
  });

  it("edits in the workspace as the policy allows, asks once about paths outside, and never reads denied ones", async () => {
    const { place, model, start } = await makeBench();
    const secret = join(place.workspace, "secret.txt");
    writeFileSync(secret, "The secret word.");
    const bridge = start({ permissions: "edits", deny: ["./secret.txt"] });
    const edit = `[[tool: write ${JSON.stringify({ filePath: join(place.workspace, "a.txt"), content: "a" })}]]`;
    const read = `[[tool: read ${JSON.stringify({ filePath: secret })}]]`;
    const command = `cat ${place.home}/.config/opencode/opencode.json`;
    bridge.send({ id: "m1", kind: "task", text: `${edit} ${read} [[run: ${command}]] [[say: over]]` });
    const question = await bridge.hear({ type: "ask" });
    expect(question["question"]).toContain("OpenCode wants to run (outside of the workspace: ");
    expect(question["detail"]).toEqual({ format: "command", text: command });
    expect(has(place, "a.txt")).toBe(true);
    bridge.send({ id: String(question["id"]), kind: "answer", text: "allow" });
    await bridge.hear({ type: "done", summary: "over" });
    expect(asked(bridge)).toHaveLength(1);
    expect(JSON.stringify(model.calls.at(-1)?.turns)).not.toContain("The secret word.");
    await bridge.end();
  });

  it("passes on the agent's own questions and counts the usage of sub-agents", async () => {
    const { model, place, start } = await makeBench();
    const bridge = start({ permissions: "all", model: "other" });
    const options = ["red", "blue"].map((label) => ({ label, description: label }));
    const questions = [{ question: "Which color?", header: "Color", options }];
    const task = { description: "a part", prompt: "Do a part.", subagent_type: "general" };
    const calls = [`[[tool: question ${JSON.stringify({ questions })}]]`, `[[tool: task ${JSON.stringify(task)}]]`];
    bridge.send({ id: "m1", kind: "task", text: `${calls.join(" ")} [[say: over]]` });
    const question = await bridge.hear({ type: "ask" });
    const descriptions = { red: "red", blue: "blue" };
    expect(question).toMatchObject({
      kind: "question",
      question: "Which color?",
      choices: ["red", "blue"],
      descriptions,
    });
    bridge.send({ id: String(question["id"]), kind: "answer", text: "blue" });
    await bridge.hear({ type: "done", summary: "over" });
    expect(JSON.stringify(model.calls.at(-1)?.turns)).toContain("blue");
    expect(model.calls.map((call) => call.model)).toEqual(["other", "other", "other", "other"]);
    const used = bridge.said().filter(({ type }) => type === "usage");
    const sum = (name: string): number => used.reduce((total, line) => total + Number(line[name]), 0);
    expect({ inputTokens: sum("inputTokens"), outputTokens: sum("outputTokens") }).toEqual(model.handedOut());
    expect(sum("cachedTokens")).toBe(4 * 200);
    expect(sum("costUsd")).toBeCloseTo(4 * 0.00381, 8);
    expect(used[0]).toMatchObject({ model: "local/other" });
    await bridge.end();
    expect(processesOf(place)).toEqual([]);
  });

  it("refuses to start with an invalid model or configuration, and says so", async () => {
    const { start, place } = await makeBench();
    expect((await start({ model: "none" }).over).stderr).toMatch(
      /no model none: it offers local\/scripted, local\/other/,
    );
    writeFileSync(join(place.workspace, "opencode.json"), '{"share":"sometimes"}');
    expect((await start({}).over).stderr).toMatch(/OpenCode does not start: .*opencode\.json share: /);
  });
});
