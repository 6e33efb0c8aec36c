import { describe, expect, it } from "vitest";
import type { Usage } from "../../driver.ts";
import type { NoteRequest, Step } from "../../kit/reducer.ts";
import { PromptAnswer } from "./messages.ts";
import { addAnswer, type Meter, readMeter, resetMeter, setCost } from "./usage.ts";

/** A meter that records its steps and the notes they leave. */
function aMeter(usage: "conversation" | "process" | "turn" | "none", kept = new Map<string, string>()) {
  const reported: Usage[] = [];
  let meter = readMeter({ usage, model: "m" }, { get: (name) => kept.get(name) ?? null });
  const take = ({ state, reports, requests }: Step<Meter, NoteRequest>): void => {
    meter = state;
    for (const { name, value } of requests) kept.set(name, value);
    for (const [name, value] of reports) if (name === "used") reported.push(value);
  };
  return {
    reported,
    kept,
    addAnswer: (given: PromptAnswer) => take(addAnswer(meter, given)),
    setCost: (amount: number) => take(setCost(meter, amount)),
    reset: () => take(resetMeter(meter)),
  };
}

function answer(inputTokens: number, outputTokens: number, more: object = {}): PromptAnswer {
  const usage = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, ...more };
  return PromptAnswer.parse({ stopReason: "end_turn", usage });
}

function inputs(reported: readonly Usage[]): readonly number[] {
  return reported.map(({ inputTokens }) => inputTokens);
}

describe("tokens", () => {
  it("of a turn are reported as is", () => {
    const { reported, ...meter } = aMeter("turn");
    for (const count of [100, 100, 50]) meter.addAnswer(answer(count, 1));
    expect(inputs(reported)).toEqual([100, 100, 50]);
  });

  it("counted per process are reported as increments, and a new process starts at zero", () => {
    const first = aMeter("process");
    for (const count of [100, 100, 250]) first.addAnswer(answer(count, count));
    expect(inputs(first.reported)).toEqual([100, 150]);
    const second = aMeter("process", first.kept);
    second.addAnswer(answer(300, 300));
    expect(inputs(second.reported)).toEqual([300]);
  });

  it("counted per conversation are reported once, even by the next process", () => {
    const first = aMeter("conversation");
    first.addAnswer(answer(100, 10));
    const second = aMeter("conversation", first.kept);
    second.addAnswer(answer(150, 10));
    expect(inputs(second.reported)).toEqual([50]);
    second.addAnswer(answer(20, 5));
    expect(inputs(second.reported)).toEqual([50, 20]);
  });

  it("include cached ones in the input, whether or not the agent does", () => {
    const { reported, ...meter } = aMeter("turn");
    meter.addAnswer(answer(1200, 50, { cachedReadTokens: 200 }));
    meter.addAnswer(answer(1000, 50, { cachedReadTokens: 200, totalTokens: 1250 }));
    expect(inputs(reported)).toEqual([1200, 1200]);
    expect(reported.map(({ cachedTokens }) => cachedTokens)).toEqual([200, 200]);
  });

  it("that were cached are reported as increments, even after a process that did not count them", () => {
    const kept = new Map([["acp.tokens", '{"inputTokens":100,"outputTokens":10}']]);
    const { reported, ...meter } = aMeter("conversation", kept);
    meter.addAnswer(answer(1300, 60, { cachedReadTokens: 200 }));
    meter.addAnswer(answer(2500, 110, { cachedReadTokens: 400 }));
    expect(reported.map(({ inputTokens, cachedTokens }) => [inputTokens, cachedTokens])).toEqual([
      [1200, 200],
      [1200, 200],
    ]);
  });

  it("in Gemini's form cover the turn", () => {
    const { reported, ...meter } = aMeter("turn");
    meter.addAnswer(PromptAnswer.parse({ _meta: { quota: { token_count: { input_tokens: 7, output_tokens: 3 } } } }));
    expect(reported).toEqual([{ inputTokens: 7, cachedTokens: 0, outputTokens: 3, costUsd: 0, model: "m" }]);
    const count = { input_tokens: 5, output_tokens: 1 };
    const model_usage = ["auto", "flash"].map((model) => ({ model, token_count: count }));
    meter.addAnswer(PromptAnswer.parse({ _meta: { quota: { token_count: count, model_usage } } }));
    const call = { inputTokens: 5, outputTokens: 1, model: "flash" };
    expect(reported.slice(1)).toMatchObject([call, call]);
  });
});

describe("money", () => {
  it("of a conversation is reported as increments, across processes", () => {
    const first = aMeter("none");
    first.setCost(0.25);
    first.setCost(0.25);
    const second = aMeter("none", first.kept);
    second.setCost(0.75);
    expect([...first.reported, ...second.reported].map(({ costUsd }) => costUsd)).toEqual([0.25, 0.5]);
  });

  it("and tokens of a lost conversation do not count for the new one", () => {
    const { reported, kept, ...meter } = aMeter("conversation");
    meter.setCost(0.5);
    meter.addAnswer(answer(100, 10));
    meter.reset();
    meter.setCost(0.25);
    meter.addAnswer(answer(150, 10));
    expect(reported.map(({ costUsd, inputTokens }) => [costUsd, inputTokens])).toEqual([
      [0.5, 0],
      [0, 100],
      [0.25, 0],
      [0, 150],
    ]);
  });
});
