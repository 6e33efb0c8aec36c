import { describe, expect, it } from "vitest";
import { until } from "../support/until.ts";
import { processesOf, type RunningBridge } from "./support/bridge.ts";
import { claude, commit, makeClaudeBench } from "./support/claude.ts";
import type { ModelServer } from "./support/model-server.ts";
import { isWhole } from "./support/programs.ts";

const RESUMED = { AO_RESUME: "1" };

function usageOf(bridges: readonly RunningBridge[]): object {
  const lines = bridges.flatMap((bridge) => bridge.said()).filter(({ type }) => type === "usage");
  const sum = (name: string): number => lines.reduce((total, line) => total + Number(line[name]), 0);
  const cachedTokens = sum("cachedTokens");
  return { inputTokens: sum("inputTokens"), cachedTokens, outputTokens: sum("outputTokens") };
}

function handedOut(model: ModelServer): object {
  return { ...model.handedOut(), cachedTokens: model.handedOutCached() };
}

function held(model: ModelServer, name: string): Promise<boolean> {
  return until(`the model to be asked for ${name}`, () => model.isHolding(name));
}

// In `npm test` the real program dies with its bridge; headless.long.test.ts and src/bridge/bridge.test.ts have the other deaths with stand-ins.
const whole = it.runIf(isWhole);

describe.skipIf(claude === null)("after a kill -9 in the middle of a turn", () => {
  it.each(isWhole ? ["the bridge", "the program"] : ["the bridge"])(
    "of %s, the same conversation continues with each message once",
    async (who) => {
      const bench = await makeClaudeBench();
      const { model, place, commits } = bench;
      const text = `Do it. [[run: ${commit("one")}]] [[hold: h]] [[run: ${commit("two")}]] [[say: both]]`;
      const first = bench.start();
      first.send({ id: "m1", kind: "task", text });
      await held(model, "h");
      await first.hear({ type: "received", id: "m1" });
      await until("the tool's result to be saved", () => bench.hasSaved('"tool_result"'));
      if (who === "the bridge") await first.kill("SIGKILL");
      else {
        process.kill(bench.pid() as number, "SIGKILL");
        expect(await first.over).toMatchObject({ code: 1, stderr: expect.stringContaining("ended by SIGKILL") });
        expect(processesOf(place)).toEqual([]);
      }
      const second = bench.start({}, RESUMED);
      // By now the leftovers of the first bridge have been ended.
      await second.hear({ type: "conversation" });
      await until("the model to miss who asked", () => !model.isHolding("h"));
      model.release("h");
      second.send({ id: "m1", kind: "resume", text });
      second.send({ id: "m2", kind: "message", text: "Also this.", attempt: 2 });
      await second.hear({ type: "received", id: "m2" });
      await second.hear({ type: "done" });
      await until("both commits", () => commits().length === 2 && second.said().at(-1)?.type === "done");
      expect(commits()).toEqual(["two", "one"]);
      const ids = [first, second].map((bridge) => bridge.said().find(({ type }) => type === "conversation")?.["id"]);
      expect(ids[1]).toBe(ids[0]);
      expect(model.countInLast("Do it.")).toBe(1);
      expect(model.countInLast("Also this.")).toBe(1);
      await second.end();
      expect(usageOf([first, second])).toEqual(handedOut(model));
      expect(processesOf(place)).toEqual([]);
    },
  );

  it("ao ends a running tool before the conversation continues", async () => {
    const bench = await makeClaudeBench();
    const first = bench.start();
    const waits = `node -e "setTimeout(() => {}, 600123)"`;
    first.send({ id: "m1", kind: "task", text: `[[run: ${waits}]] [[say: over]]` });
    const tools = (): number => processesOf(bench.place).filter(({ command }) => command.includes("600123")).length;
    await until("the tool to run", () => tools() > 0);
    await first.kill("SIGKILL");
    expect(tools()).toBeGreaterThan(0);
    const second = bench.start({}, RESUMED);
    second.send({ id: "m1", kind: "resume", text: "" });
    await second.hear({ type: "done" });
    expect(tools()).toBe(0);
    await second.end();
  });

  whole("a message whose receipt was not heard is not given again; one that never arrived is", async () => {
    const bench = await makeClaudeBench();
    const { model } = bench;
    const first = bench.start();
    first.send({ id: "m1", kind: "task", text: "One. [[say: first]]" });
    await first.hear({ type: "done" });
    await first.kill("SIGKILL");
    const calls = model.calls.length;
    const second = bench.start({}, RESUMED);
    second.send({ id: "m1", kind: "task", text: "One. [[say: first]]", attempt: 2 });
    expect(await second.hear({ type: "done" })).toMatchObject({ summary: "first" });
    expect(model.calls).toHaveLength(calls);
    second.send({ id: "m2", kind: "message", text: "Two. [[say: second]]", attempt: 2 });
    await second.hear({ type: "done", summary: "second" });
    expect(model.countInLast("One.")).toBe(1);
    expect(model.countInLast("Two.")).toBe(1);
    await second.end();
    expect(usageOf([first, second])).toEqual(handedOut(model));
  });

  whole("before anything was saved the conversation begins anew, under the same id", async () => {
    const bench = await makeClaudeBench();
    const first = bench.start();
    const { id } = await first.hear({ type: "conversation" });
    await first.kill("SIGKILL");
    const second = bench.start({}, RESUMED);
    second.send({ id: "m1", kind: "task", text: "[[say: here]]", attempt: 2 });
    await second.hear({ type: "done", summary: "here" });
    expect(await second.hear({ type: "conversation" })).toMatchObject({ id });
    await second.end();
  });

  it("SIGTERM ends everything", async () => {
    const bench = await makeClaudeBench();
    const bridge = bench.start();
    bridge.send({ id: "m1", kind: "task", text: `[[run: node -e "setTimeout(() => {}, 600124)"]]` });
    await until("the tool to run", () => processesOf(bench.place).some(({ command }) => command.includes("600124")));
    await bridge.kill("SIGTERM");
    expect(await bridge.over).toMatchObject({ code: 143 });
    expect(processesOf(bench.place)).toEqual([]);
  });

  const moments = [
    ["uses a tool", "tool Bash"],
    ["has begun", '{"type":"conversation"'],
    ["is confirmed", '{"type":"received"'],
    ["says something", "say: Almost."],
    ["is done", '{"type":"done"'],
  ] as const;

  // The driver's own table tests cover each line.
  whole.each(moments)(
    "as soon as it %s, the message is in the conversation once and the turn ends at most once more",
    async (_, line) => {
      const bench = await makeClaudeBench();
      const text = "Do it. [[run: touch a]] [[run: touch b]] [[say: Almost.]]";
      const first = bench.start();
      first.send({ id: "m1", kind: "task", text });
      await first.see(line);
      await first.kill("SIGKILL");
      const heard = first.said().map(({ type }) => type);
      const second = bench.start({}, RESUMED);
      const next = heard.includes("received") ? ({ kind: "resume" } as const) : ({ kind: "task", attempt: 2 } as const);
      second.send({ id: "m1", text, ...next });
      await second.hear({ type: "done" });
      second.send({ id: "m2", kind: "message", text: "Then this. [[say: fine]]" });
      await second.hear({ type: "done", summary: "fine" });
      expect(bench.model.countInLast("Do it.")).toBe(1);
      expect(bench.model.countInLast("Then this.")).toBe(1);
      expect(second.said().filter(({ type }) => type === "done")).toHaveLength(2);
      await second.end();
      expect(processesOf(bench.place)).toEqual([]);
    },
  );
});
