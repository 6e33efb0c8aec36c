import { describe, expect, it } from "vitest";
import { isEmptyPrompt, judgeTyping, type TerminalView, type TypingMemory } from "./guard.ts";

const NOW = 1_000;
const MEMORY: TypingMemory = { line: "> ready", since: 500 };

function aView(change: Partial<TerminalView> = {}): TerminalView {
  return {
    isDead: false,
    isScrolling: false,
    clients: [],
    sessionActivity: 100,
    lastAttached: 0,
    cursorLine: "> ready",
    ...change,
  };
}

function judge(view: TerminalView | null, memory: TypingMemory = MEMORY) {
  return judgeTyping(view, memory, { now: NOW, quietSeconds: 15 });
}

const typist = { created: 600, activity: 700, isReadOnly: false };

describe("typing is free when", () => {
  it.each<[string, TerminalView, TypingMemory]>([
    ["nobody ever attached", aView(), { line: null, since: 0 }],
    ["the program changed the line and nobody typed", aView({ cursorLine: "working" }), MEMORY],
    ["a person only watches", aView({ clients: [{ ...typist, activity: 600 }], cursorLine: "working" }), MEMORY],
    ["a read-only client is active", aView({ clients: [{ ...typist, activity: 999, isReadOnly: true }] }), MEMORY],
    ["a person typed and the line is as it was", aView({ clients: [typist] }), MEMORY],
    ["a person typed and left an empty prompt", aView({ clients: [typist], cursorLine: "│ > │" }), MEMORY],
    [
      "a person typed before our last message",
      aView({ clients: [{ ...typist, created: 300, activity: 499 }] }),
      MEMORY,
    ],
    ["a person scrolled and went away", aView({ isScrolling: true }), MEMORY],
  ])("%s", (_name, view, memory) => {
    expect(judge(view, memory).guard).toEqual({ kind: "free" });
  });
});

describe("typing waits when", () => {
  it.each<[string, TerminalView | null, TypingMemory, RegExp]>([
    ["the terminal is gone", null, MEMORY, /gone/],
    ["the program is dead", aView({ isDead: true }), MEMORY, /ended/],
    ["a person scrolls", aView({ isScrolling: true, clients: [{ ...typist, activity: 600 }] }), MEMORY, /scrolling/],
    ["a key came 14 s ago", aView({ clients: [{ ...typist, activity: NOW - 14 }] }), MEMORY, /is typing/],
    ["a draft is in the line", aView({ clients: [typist], cursorLine: "> fix th" }), MEMORY, /half-typed/],
    [
      "a draft is in the line and its writer detached",
      aView({ lastAttached: 600, sessionActivity: 610, cursorLine: "> fix th" }),
      MEMORY,
      /half-typed/,
    ],
    [
      "a draft is in the line and no earlier line is known",
      aView({ clients: [typist], cursorLine: "> fix th" }),
      { line: null, since: 0 },
      /half-typed/,
    ],
  ])("%s", (_name, view, memory, reason) => {
    const { guard, memory: after } = judge(view, memory);
    expect(guard.kind).toBe("wait");
    expect(guard.kind === "wait" && guard.reason).toMatch(reason);
    expect(after).toBe(memory);
  });
});

describe("the remembered cursor line", () => {
  it("follows the program while nobody types", () => {
    expect(judge(aView({ cursorLine: "> new" })).memory).toEqual({ line: "> new", since: NOW });
  });

  it("stays the same when nothing changes", () => {
    expect(judge(aView()).memory).toBe(MEMORY);
  });
});

describe("an empty prompt", () => {
  it.each(["", "   ", "> ", "│ ❯            │", "$ "])("is %j", (line) => expect(isEmptyPrompt(line)).toBe(true));
  it.each(["> a", "$ ls", "│ > 1 │", "日本"])("is not %j", (line) => expect(isEmptyPrompt(line)).toBe(false));
});
