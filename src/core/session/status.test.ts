import { describe, expect, it } from "vitest";
import { aMessage, aQuestion, aSession } from "../../testing/builders.ts";
import { MAX_FAILED_RUNS, type SessionState } from "./state.ts";
import { countPending, deriveStatus } from "./status.ts";

const running = { paused: false };
const paused = { paused: true };

describe("what people see", () => {
  it.each<[string, string, SessionState, { readonly paused: boolean }]>([
    ["queued", "idle", aSession({ phase: "queued" }), running],
    ["paused", "idle", aSession({ phase: "queued" }), paused],
    ["paused", "idle", aSession({ workspace: { state: "none" } }), paused],
    ["preparing", "working", aSession({ workspace: { state: "none" } }), running],
    ["preparing", "working", aSession({ workspace: { state: "creating" } }), running],
    ["starting", "working", aSession({ run: { state: "none" } }), running],
    ["starting", "working", aSession({ run: { state: "starting" } }), running],
    ["starting", "working", aSession({ input: "file", run: { state: "none" }, messages: [aMessage()] }), running],
    ["working", "working", aSession(), running],
    ["idle", "idle", aSession({ activity: { state: "idle" } }), running],
    ["idle", "idle", aSession({ input: "file", run: { state: "ended", code: 0 } }), running],
    ["needs-input", "waiting", aSession({ question: aQuestion() }), running],
    ["needs-input", "waiting", aSession({ activity: { state: "waiting" } }), running],
    ["restarting", "working", aSession({ run: { state: "ended", code: 1 } }), running],
    ["restarting", "working", aSession({ run: { state: "ended", code: 0 }, messages: [aMessage()] }), running],
    ["exited", "idle", aSession({ run: { state: "ended", code: 0 } }), running],
    ["exited", "error", aSession({ run: { state: "ended", code: 1, failures: MAX_FAILED_RUNS } }), running],
    ["errored", "error", aSession({ input: "file", run: { state: "ended" }, activity: { state: "errored" } }), running],
    ["failed", "error", aSession({ workspace: { state: "failed", reason: "no" } }), running],
    ["failed", "error", aSession({ workspace: { state: "kept" } }), running],
    ["workspace-missing", "error", aSession({ workspace: { state: "missing" } }), running],
    ["workspace-missing", "error", aSession({ workspace: { state: "branch-missing" } }), running],
    ["stopping", "working", aSession({ phase: "stopping" }), running],
    ["stopped", "idle", aSession({ phase: "stopped" }), running],
  ])("is %s (%s)", (status, state, session, policy) => {
    expect(deriveStatus(session, policy)).toMatchObject({ status, state });
  });

  it("always comes with its evidence", () => {
    expect(deriveStatus(aSession({ question: aQuestion() }), running).evidence).toBe("asks: Deploy?");
    expect(deriveStatus(aSession({ workspace: { state: "missing", reason: "/w is gone" } }), running).evidence).toBe(
      "/w is gone",
    );
  });

  it("shows where a stopped session's work is", () => {
    const saved = aSession({ phase: "stopped", workspace: { preservedRef: "refs/ao/preserved/x/1" } });
    const kept = aSession({ phase: "stopped", workspace: { state: "kept", reason: "a rebase is in progress" } });
    expect(deriveStatus(saved, running).evidence).toContain("refs/ao/preserved/x/1");
    expect(deriveStatus(kept, running).evidence).toContain("a rebase is in progress");
  });
});

describe("countPending", () => {
  it("counts what is on its way", () => {
    const messages = (["queued", "started", "written", "accepted", "unknown", "failed", "withdrawn"] as const).map(
      (status) => aMessage({ id: status, status }),
    );
    expect(countPending(aSession({ messages }))).toBe(3);
    const interrupts = messages.map((message) => ({ ...message, kind: "interrupt" as const }));
    expect(countPending(aSession({ messages: interrupts }))).toBe(0);
  });
});
