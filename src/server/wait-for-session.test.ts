import { describe, expect, it } from "vitest";
import { aSession, aWorld } from "../testing/builders.ts";
import type { EngineView } from "./actions.ts";
import { readOrWait } from "./wait-for-session.ts";

/** A session that prints when the test says so, and one reader that waits for it. */
function aReader(waitMs: number) {
  let text = "";
  let reads = 0;
  const listeners = new Set<() => void>();
  const add = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const world = aWorld({ sessions: [aSession({ id: "demo-1", run: { ...aSession().run, n: 1 } })] });
  const leaving = new AbortController();
  const engine = { world, subscribe: (listener: () => void) => add(listener) } as unknown as EngineView;
  const answer = readOrWait(
    { engine, runFiles: { runDir: () => "/run", fs: { watch: (_, listener) => add(() => listener(null)) } } },
    {
      ...{ id: "demo-1", waitMs, signal: leaving.signal },
      read: async () => {
        reads += 1;
        return text;
      },
      isNews: (page) => page !== "",
    },
  );
  return {
    answer,
    reads: () => reads,
    listeners,
    leave: () => leaving.abort(),
    say: (what: string) => {
      text = what;
      for (const listener of listeners) listener();
    },
  };
}

describe("a call that waits for news of a session", () => {
  it("answers once something is committed or printed, without polling in between", async () => {
    const reader = aReader(60_000);
    await Promise.resolve();
    expect(reader.listeners.size).toBe(2);
    reader.say("news");
    expect(await reader.answer).toBe("news");
    expect(reader.reads()).toBe(2);
    expect(reader.listeners.size).toBe(0);
  });

  it("answers at once if there is no time to wait", async () => {
    const reader = aReader(0);
    expect(await reader.answer).toBe("");
    expect(reader.reads()).toBe(1);
  });

  it("ends when its caller disconnects", async () => {
    const reader = aReader(60_000);
    reader.leave();
    expect(await reader.answer).toBe("");
    expect(reader.listeners.size).toBe(0);
  });
});
