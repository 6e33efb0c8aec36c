import { describe, expect, it } from "vitest";
import { aMessage, aQuestion, aSession } from "../../testing/builders.ts";
import { aProblem } from "../../testing/change-builders.ts";
import { MAX_FAILED_RUNS, type SessionState } from "../session/state.ts";
import { needsOfSession } from "./session-needs.ts";

const running = { paused: false };

describe("a session's needs", () => {
  const kinds = (session: SessionState): readonly string[] => needsOfSession(session, running).map(({ kind }) => kind);

  it.each<[string, SessionState, readonly string[]]>([
    ["are empty if all is well", aSession({ messages: [aMessage()] }), []],
    ["include an open question", aSession({ question: aQuestion() }), ["question"]],
    ["do not include an answered question", aSession({ question: aQuestion({ answeredBy: "m-a" }) }), []],
    ["include a missing workspace", aSession({ workspace: { state: "missing" } }), ["workspace"]],
    ["include a failed workspace", aSession({ workspace: { state: "failed" } }), ["workspace"]],
    [
      "include an agent that ended too often",
      aSession({ run: { state: "ended", code: 1, failures: MAX_FAILED_RUNS } }),
      ["agent-exited"],
    ],
    ["do not include an agent that exited by itself", aSession({ run: { state: "ended", code: 0 } }), []],
    [
      "include a failed turn, once",
      aSession({
        input: "file",
        run: { state: "ended", code: 3 },
        activity: { state: "errored" },
        messages: [aMessage({ status: "failed" })],
      }),
      ["turn-failed"],
    ],
    [
      "include a message with an unknown result",
      aSession({ messages: [aMessage({ status: "unknown" })] }),
      ["message-unknown"],
    ],
    ["include a failed message", aSession({ messages: [aMessage({ status: "failed" })] }), ["message-failed"]],
    [
      "do not include an interrupt, whatever became of it",
      aSession({
        messages: [
          aMessage({ kind: "interrupt", status: "failed" }),
          aMessage({ id: "i2", kind: "interrupt", status: "unknown" }),
        ],
      }),
      [],
    ],
    ["are empty once the session is stopping", aSession({ phase: "stopping", question: aQuestion() }), []],
    ["are empty once it is stopped", aSession({ phase: "stopped", workspace: { state: "missing" } }), []],
  ])("%s", (_, session, expected) => expect(kinds(session)).toEqual(expected));

  it("list what can be done about it, the most helpful first", () => {
    const [need] = needsOfSession(aSession({ question: aQuestion() }), running);
    expect(need?.actions.map(({ action }) => action)).toEqual(["answer", "message", "open"]);
    expect(need?.actions[0]).toEqual({ action: "answer", sessionId: "demo-fix-it", pullRequest: null, check: null });
  });

  it("let a failed turn be dismissed once it is a problem", () => {
    const problem = aProblem({ id: "agent-exited", key: "agent-exited", escalatedAt: 2000 });
    const failed = (acknowledged: boolean) =>
      aSession({ activity: { state: "errored" }, problems: { "agent-exited": { ...problem, acknowledged } } });
    expect(needsOfSession(failed(false), running)).toMatchObject([
      { kind: "turn-failed", isDismissed: false, problem: { id: "agent-exited" } },
    ]);
    expect(needsOfSession(failed(true), running)).toMatchObject([{ kind: "turn-failed", isDismissed: true }]);
  });
});
