import { describe, expect, it } from "vitest";
import { aTask } from "../../testing/builders.ts";
import { evolveTask } from "./evolve.ts";
import { taskKeyOf } from "./state.ts";

const claim = {
  type: "task.claimed",
  key: "demo/42",
  projectId: "demo",
  issue: "42",
  title: "Fix it",
  sessionId: "demo-42",
} as const;

describe("evolveTask", () => {
  it("task.claimed creates the task with a holder", () => {
    expect(evolveTask(undefined, claim, 5)).toEqual(aTask({ claimedBy: "demo-42", at: 5 }));
  });

  it("task.claimed takes a free task", () => {
    expect(evolveTask(aTask(), claim, 5)?.claimedBy).toBe("demo-42");
  });

  it("task.claimed never takes over an existing claim", () => {
    const held = aTask({ claimedBy: "someone" });
    expect(evolveTask(held, claim, 5)).toBe(held);
  });

  it("task.released frees the task of its holder", () => {
    const freed = evolveTask(aTask({ claimedBy: "demo-42" }), { type: "task.released", sessionId: "demo-42" }, 5);
    expect(freed?.claimedBy).toBeNull();
  });

  it("task.released by another session changes nothing", () => {
    const held = aTask({ claimedBy: "someone" });
    expect(evolveTask(held, { type: "task.released", sessionId: "demo-42" }, 5)).toBe(held);
    expect(evolveTask(undefined, { type: "task.released", sessionId: "demo-42" }, 5)).toBeUndefined();
  });
});

describe("taskKeyOf", () => {
  it("is the issue of the project, or the session itself", () => {
    expect(taskKeyOf("demo", "42", "demo-42-2")).toBe("demo/42");
    expect(taskKeyOf("demo", null, "demo-fix-it")).toBe("demo/~demo-fix-it");
  });
});
