import { describe, expect, it } from "vitest";
import { aSession } from "../../testing/builders.ts";
import type { SessionEvent } from "./events.ts";
import { evolveSession } from "./evolve.ts";
import { lastSignal } from "./signal.ts";

const CASES: readonly [string, SessionEvent, number | undefined][] = [
  ["a report", { type: "agent.reported", state: "working", note: null }, 9000],
  ["usage", { type: "agent.used", inputTokens: 1, outputTokens: 1, costUsd: 0 }, 9000],
  ["output", { type: "agent.output-seen" }, 9000],
  ["the end of a turn", { type: "agent.finished", summary: "" }, 9000],
  [
    "a message from a person",
    { type: "message.queued", id: "m", kind: "message", replyTo: null, text: { inline: "" }, bytes: 0 },
    undefined,
  ],
  ["a stop", { type: "session.stop-requested", reason: "" }, undefined],
  ["the start of its process", { type: "run.starting", run: 2, messageId: null }, undefined],
];

describe("the last sign of life", () => {
  it.each(CASES)("after %s", (_name, event, at) => {
    expect(evolveSession(aSession(), event, 9000)?.signalAt).toBe(at);
  });

  it("is unknown before the first signal", () => {
    expect(lastSignal(aSession(), null)).toBeNull();
  });

  it("is the last activity in a state of an older version", () => {
    expect(lastSignal(aSession({ run: { progressed: true }, activity: { at: 5000 } }), null)?.at).toBe(5000);
  });

  it("is the newest report of this run, which may not be in the log", () => {
    const session = aSession({ signalAt: 3000 });
    const report = { run: 1, state: "working", note: null, at: 8000 } as const;
    expect(lastSignal(session, report)?.at).toBe(8000);
    expect(lastSignal(session, { ...report, run: 7 })?.at).toBe(3000);
  });

  it.each([
    ["inbox", "process", "protocol"],
    ["inbox", "tmux", "hook"],
    ["terminal", "tmux", "terminal"],
  ] as const)("of an agent with input %s under %s comes from %s", (input, plugin, source) => {
    const session = aSession({ input, runtime: { plugin, config: {} }, signalAt: 1 });
    expect(lastSignal(session, null)?.source).toBe(source);
  });
});
