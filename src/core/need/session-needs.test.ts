import { describe, expect, it } from "vitest";
import { aMessage, aQuestion, aSession } from "../../testing/builders.ts";
import { aProblem } from "../../testing/change-builders.ts";
import { MAX_FAILED_RUNS, type SessionState } from "../session/state.ts";
import { needsOfSession } from "./session-needs.ts";

const running = { paused: false };

describe("what a session needs a person for", () => {
  const kinds = (session: SessionState): readonly string[] => needsOfSession(session, running).map(({ kind }) => kind);

  it.each<[string, SessionState, readonly string[]]>([
    ["is empty when all is well", aSession({ messages: [aMessage()] }), []],
    ["has an open question", aSession({ question: aQuestion() }), ["question"]],
    ["has no question that was answered", aSession({ question: aQuestion({ answeredBy: "m-a" }) }), []],
    ["has a workspace that is gone", aSession({ workspace: { state: "missing" } }), ["workspace"]],
    ["has a workspace that failed", aSession({ workspace: { state: "failed" } }), ["workspace"]],
    [
      "has an agent that ended too often",
      aSession({ run: { state: "ended", code: 1, failures: MAX_FAILED_RUNS } }),
      ["agent-exited"],
    ],
    ["has no agent that left by itself", aSession({ run: { state: "ended", code: 0 } }), []],
    [
      "has a failed turn, once",
      aSession({
        input: "file",
        run: { state: "ended", code: 3 },
        activity: { state: "errored" },
        messages: [aMessage({ status: "failed" })],
      }),
      ["turn-failed"],
    ],
    ["has a message of unknown fate", aSession({ messages: [aMessage({ status: "unknown" })] }), ["message-unknown"]],
    ["has a message that failed", aSession({ messages: [aMessage({ status: "failed" })] }), ["message-failed"]],
    [
      "has no interrupt, whatever became of it",
      aSession({
        messages: [
          aMessage({ kind: "interrupt", status: "failed" }),
          aMessage({ id: "i2", kind: "interrupt", status: "unknown" }),
        ],
      }),
      [],
    ],
    ["is empty once the session stops", aSession({ phase: "stopping", question: aQuestion() }), []],
    ["is empty once it is stopped", aSession({ phase: "stopped", workspace: { state: "missing" } }), []],
  ])("%s", (_, session, expected) => expect(kinds(session)).toEqual(expected));

  it("names what can be done about it, the most helpful first", () => {
    const [need] = needsOfSession(aSession({ question: aQuestion() }), running);
    expect(need?.actions.map(({ action }) => action)).toEqual(["answer", "message", "open"]);
    expect(need?.actions[0]).toEqual({ action: "answer", sessionId: "demo-fix-it", pullRequest: null, check: null });
  });

  it("lets a failed turn be dismissed once it is a problem", () => {
    const problem = aProblem({ id: "agent-exited", key: "agent-exited", escalatedAt: 2000 });
    const failed = (acknowledged: boolean) =>
      aSession({ activity: { state: "errored" }, problems: { "agent-exited": { ...problem, acknowledged } } });
    expect(needsOfSession(failed(false), running)).toMatchObject([
      { kind: "turn-failed", isDismissed: false, problem: { id: "agent-exited" } },
    ]);
    expect(needsOfSession(failed(true), running)).toMatchObject([{ kind: "turn-failed", isDismissed: true }]);
  });
});
