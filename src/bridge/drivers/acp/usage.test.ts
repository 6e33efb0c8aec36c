import { describe, expect, it } from "vitest";
import type { Notes, Usage } from "../../driver.ts";
import { PromptAnswer } from "./messages.ts";
import { createMeter, type Meter } from "./usage.ts";

function aMeter(
  counts: "conversation" | "process" | "turn" | "none",
  kept = new Map<string, string>(),
): { readonly meter: Meter; readonly told: Usage[]; readonly kept: Map<string, string> } {
  const told: Usage[] = [];
  const notes: Notes = { get: (name) => kept.get(name) ?? null, set: (name, value) => void kept.set(name, value) };
  return { meter: createMeter({ counts, notes, model: () => "m", report: (usage) => told.push(usage) }), told, kept };
}

function answer(inputTokens: number, outputTokens: number, more: object = {}): PromptAnswer {
  const usage = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, ...more };
  return PromptAnswer.parse({ stopReason: "end_turn", usage });
}

function inputs(told: readonly Usage[]): readonly number[] {
  return told.map(({ inputTokens }) => inputTokens);
}

describe("tokens", () => {
  it("of a turn are told as they are", () => {
    const { meter, told } = aMeter("turn");
    for (const count of [100, 100, 50]) meter.addAnswer(answer(count, 1));
    expect(inputs(told)).toEqual([100, 100, 50]);
  });

  it("that grow with the process are told by their growth, and a new process begins at nothing", () => {
    const first = aMeter("process");
    for (const count of [100, 100, 250]) first.meter.addAnswer(answer(count, count));
    expect(inputs(first.told)).toEqual([100, 150]);
    const second = aMeter("process", first.kept);
    second.meter.addAnswer(answer(300, 300));
    expect(inputs(second.told)).toEqual([300]);
  });

  it("that grow with the conversation are told once, also by the next process", () => {
    const first = aMeter("conversation");
    first.meter.addAnswer(answer(100, 10));
    const second = aMeter("conversation", first.kept);
    second.meter.addAnswer(answer(150, 10));
    expect(inputs(second.told)).toEqual([50]);
    second.meter.addAnswer(answer(20, 5));
    expect(inputs(second.told)).toEqual([50, 20]);
  });

  it("count cached ones as input, whether the agent counts them with it or beside it", () => {
    const { meter, told } = aMeter("turn");
    meter.addAnswer(answer(1200, 50, { cachedReadTokens: 200 }));
    meter.addAnswer(answer(1000, 50, { cachedReadTokens: 200, totalTokens: 1250 }));
    expect(inputs(told)).toEqual([1200, 1200]);
    expect(told.map(({ cachedTokens }) => cachedTokens)).toEqual([200, 200]);
  });

  it("that were cached are told by their growth, also after a process that did not count them", () => {
    const kept = new Map([["acp.tokens", '{"inputTokens":100,"outputTokens":10}']]);
    const { meter, told } = aMeter("conversation", kept);
    meter.addAnswer(answer(1300, 60, { cachedReadTokens: 200 }));
    meter.addAnswer(answer(2500, 110, { cachedReadTokens: 400 }));
    expect(told.map(({ inputTokens, cachedTokens }) => [inputTokens, cachedTokens])).toEqual([
      [1200, 200],
      [1200, 200],
    ]);
  });

  it("in Gemini's form are those of the turn", () => {
    const { meter, told } = aMeter("turn");
    meter.addAnswer(PromptAnswer.parse({ _meta: { quota: { token_count: { input_tokens: 7, output_tokens: 3 } } } }));
    expect(told).toEqual([{ inputTokens: 7, cachedTokens: 0, outputTokens: 3, costUsd: 0, model: "m" }]);
    const count = { input_tokens: 5, output_tokens: 1 };
    const model_usage = ["auto", "flash"].map((model) => ({ model, token_count: count }));
    meter.addAnswer(PromptAnswer.parse({ _meta: { quota: { token_count: count, model_usage } } }));
    const call = { inputTokens: 5, outputTokens: 1, model: "flash" };
    expect(told.slice(1)).toMatchObject([call, call]);
  });
});

describe("money", () => {
  it("of a conversation is told by its growth, across processes", () => {
    const first = aMeter("none");
    first.meter.setCost(0.25);
    first.meter.setCost(0.25);
    const second = aMeter("none", first.kept);
    second.meter.setCost(0.75);
    expect([...first.told, ...second.told].map(({ costUsd }) => costUsd)).toEqual([0.25, 0.5]);
  });
});
