import { describe, expect, it } from "vitest";
import { aMessage, aProject, aQuestion, aSession, aWorld } from "../testing/builders.ts";
import type { SessionState } from "./session/state.ts";
import { settle } from "./settle.ts";
import { describeQueue, holdsSlot } from "./slot.ts";

const idle = { activity: { state: "idle" } } as const;

describe("a slot", () => {
  it.each<readonly [string, SessionState]>([
    ["is being prepared", aSession({ workspace: { state: "creating" }, run: { state: "none" } })],
    ["is being started", aSession({ run: { state: "starting" } })],
    ["works", aSession()],
    ["is rate limited, and continues by itself", aSession({ activity: { state: "limited" } })],
    ["is being restarted", aSession({ run: { state: "ended", code: 1 } })],
    ["has a message on its way", aSession({ ...idle, messages: [aMessage({ status: "written" })] })],
    ["is stopping", aSession({ phase: "stopping" })],
  ])("is held by a session that %s", (_, session) => {
    expect(holdsSlot(session)).toBe(true);
  });

  it.each<readonly [string, SessionState]>([
    ["is idle", aSession(idle)],
    ["asks a question, for as long as nobody answers", aSession({ question: aQuestion() })],
    ["reports that it waits", aSession({ activity: { state: "waiting" } })],
    ["failed its turn", aSession({ activity: { state: "errored" } })],
    ["exited with nothing to do", aSession({ run: { state: "ended", code: 0 } })],
    ["died too often", aSession({ run: { state: "ended", code: 1, failures: 9 } })],
    ["lost its folder", aSession({ workspace: { state: "missing" } })],
    ["is queued", aSession({ phase: "queued" })],
    ["is stopped", aSession({ phase: "stopped" })],
  ])("is not held by a session that %s", (_, session) => {
    expect(holdsSlot(session)).toBe(false);
  });

  it("of an idle session goes to the next in the queue", () => {
    const queued = aSession({ id: "next", phase: "queued", workspace: { state: "none" }, run: { state: "none" } });
    const admitted = (first: SessionState): readonly string[] =>
      settle(aWorld({ sessions: [first, queued], fleet: { limit: 1 } }), 5000).map(({ event }) => event.type);
    expect(admitted(aSession({ id: "first" }))).toEqual([]);
    expect(admitted(aSession({ id: "first", ...idle }))).toEqual(["session.admitted"]);
  });
});

describe("the evidence of a queued session", () => {
  const queued = aSession({ id: "next", phase: "queued" });
  const busy = ["a", "b", "c", "d"].map((id) => aSession({ id }));

  it("names the limit, who is busy, and how to start it anyway", () => {
    const world = aWorld({ sessions: [...busy.slice(0, 2), queued], fleet: { limit: 2 } });
    expect(describeQueue(world, queued)).toBe("2 of 2 agents busy: a, b; `ao restore next --now` starts it anyway");
  });

  it("names a few of many", () => {
    const world = aWorld({ sessions: [...busy, queued], fleet: { limit: 4 } });
    expect(describeQueue(world, queued)).toMatch(/^4 of 4 agents busy: a, b, c and 1 more;/);
  });

  it("names the project with the limit", () => {
    const world = aWorld({ sessions: [...busy, queued], projects: [aProject({ limit: 4 })], fleet: { limit: 9 } });
    expect(describeQueue(world, queued)).toMatch(/^4 of 4 agents of demo busy: a, b, c and 1 more;/);
  });

  it("says that a slot is free", () => {
    expect(describeQueue(aWorld({ sessions: [queued], fleet: { limit: 1 } }), queued)).toBe("slot free, starting");
  });
});
