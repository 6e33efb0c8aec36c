import { expect, it } from "vitest";
import type { NoteRequest, Step } from "../../kit/reducer.ts";
import { countTokens, type Meter, readMeter, startOver, useModel } from "./usage.ts";

/** Notes that survive the process, and a meter that reads them. */
function aMeter(saved: Readonly<Record<string, string>> = {}) {
  const notes = new Map(Object.entries(saved));
  const reported: (readonly unknown[])[] = [];
  const start = () => {
    let meter = readMeter({ get: (name) => notes.get(name) ?? null });
    return (take: (before: Meter) => Step<Meter, NoteRequest>): void => {
      const { state, requests, reports } = take(meter);
      meter = state;
      for (const { name, value } of requests) notes.set(name, value);
      for (const [name, used] of reports) {
        if (name === "usedInAll") reported.push([used.inputTokens, used.cachedTokens, used.model]);
      }
    };
  };
  return { start, reported };
}

const tokens = (inputTokens: number, cachedInputTokens: number) => ({
  inputTokens,
  cachedInputTokens,
  outputTokens: 1,
});

it("adds up all threads of the session, even after a restart", () => {
  const { start, reported } = aMeter();
  const first = start();
  first((meter) => useModel(meter, "gpt-5"));
  first((meter) => countTokens(meter, tokens(100, 20)));
  const second = start();
  second(startOver);
  second((meter) => countTokens(meter, tokens(30, 10)));
  second((meter) => useModel(meter, "gpt-5-mini"));
  start()((meter) => countTokens(meter, tokens(40, 10)));
  expect(reported).toEqual([
    [100, 20, "gpt-5"],
    [130, 30, "gpt-5"],
    [140, 30, "gpt-5-mini"],
  ]);
});

it("continues from the notes of an older version, which did not store cached tokens", () => {
  const { start, reported } = aMeter({ "codex.tokens-before": '{"inputTokens":100,"outputTokens":1}' });
  start()((meter) => countTokens(meter, tokens(200, 50)));
  expect(reported).toEqual([[300, 50, null]]);
});
