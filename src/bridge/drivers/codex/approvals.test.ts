import { describe, expect, it } from "vitest";
import type { Question } from "../../driver.ts";
import { reduceAll } from "../../kit/reducer.ts";
import { reduceCodex } from "./reduce.ts";
import { parseSettings } from "./settings.ts";
import { type CodexNotice, initialState } from "./state.ts";
import { readMeter } from "./usage.ts";

const COMMAND = "item/commandExecution/requestApproval";
const FILES = "item/fileChange/requestApproval";
const INPUT = "item/tool/requestUserInput";

/** The result of notices: questions to people, answers to the program, and all other reports. */
function take(notices: readonly CodexNotice[], settings: object = {}, isShared = false) {
  const rules = { settings: parseSettings(settings), cwd: "/w", home: "/h", isShared };
  const initial = initialState(rules, readMeter({ get: () => null }));
  const { state, reports, requests } = reduceAll(reduceCodex, { ...initial, threadId: "t" }, notices);
  return {
    state,
    asked: reports.flatMap((call): Question[] => (call[0] === "asked" ? [call[1]] : [])),
    others: reports.filter(([name]) => name !== "asked"),
    answers: requests.flatMap((request) => (request.kind === "respond" ? [request.result] : [])),
    refused: requests.flatMap((request) => (request.kind === "refuse" ? [request.code] : [])),
  };
}

const ask = (method: string, params: object, id = 7): CodexNotice => ({
  ...{ kind: "request", id, method, params },
  questionId: `q${id}`,
});
const answer = (questionId: string, choice: string): CodexNotice => ({ kind: "answer", questionId, choice });
const message = (method: string, params: object): CodexNotice => ({ kind: "message", method, params });
const edit = (...changes: readonly object[]): CodexNotice =>
  message("item/started", { threadId: "t", item: { type: "fileChange", id: "i", changes } });
const resolved = message("serverRequest/resolved", { threadId: "t", requestId: 7 });
const completed = message("turn/completed", { threadId: "t", turn: { id: "1", status: "interrupted" } });

describe("permission", () => {
  it("for files is decided by the policy inside the workspace, and by a person outside", () => {
    const { asked, answers } = take(
      [
        edit({ path: "/w/a.ts" }),
        ask(FILES, { itemId: "i" }),
        edit({ path: "/etc/passwd" }),
        ask(FILES, { itemId: "i" }),
      ],
      { permissions: "edits" },
    );
    expect(answers).toEqual([{ decision: "accept" }]);
    expect(asked.map(({ question }) => question)).toEqual(["Codex wants to edit /etc/passwd"]);
  });

  it("for a move is decided by its target, too", () => {
    const move = (target: string): object => ({ path: "/w/a.ts", kind: { type: "update", move_path: target } });
    const request = ask(FILES, { itemId: "i" });
    const { asked, answers } = take(
      [edit(move("/w/b.ts")), request, edit(move("/etc/passwd")), request, edit(move("/w/secret/a")), request],
      { permissions: "edits", deny: ["./secret/**"] },
    );
    expect(answers).toEqual([{ decision: "accept" }, { decision: "decline" }]);
    expect(asked.map(({ question }) => question)).toEqual(["Codex wants to edit /w/a.ts /etc/passwd"]);
  });

  it("for a command that the policy denies is refused with a note", () => {
    const { asked, answers, others } = take([ask(COMMAND, { itemId: "c", command: "git push" })], {
      deny: ["git push *", "git push"],
    });
    expect([asked, answers]).toEqual([[], [{ decision: "decline" }]]);
    expect(others).toEqual([["noted", "denied by the policy: git push"]]);
  });

  it("shows the whole command with its folder and reason, or the diff, and what `always` means", () => {
    const always = { availableDecisions: ["accept", "acceptForSession"], reason: "It needs the network." };
    const command = "/bin/bash -lc 'make\nmake install'";
    const { asked, answers } = take([
      ask(COMMAND, { itemId: "c", command, cwd: "/w/sub", ...always }, 1),
      edit(
        { path: "/w/a.ts", kind: { type: "update" }, diff: "@@ -1 +1 @@\n-old\n+new\n" },
        { path: "/w/b.ts", kind: { type: "add" }, diff: "line\n" },
      ),
      ask(FILES, { itemId: "i", ...always, reason: null }, 2),
      answer("q1", "no, use sed"),
      answer("q2", "allow always"),
    ]);
    expect(asked).toMatchObject([
      {
        question: "Codex wants to run (in /w/sub; It needs the network.):",
        detail: { format: "command", text: "make\nmake install" },
        descriptions: { "allow always": "the same command, until the agent's process ends" },
        freeText: true,
      },
      {
        question: "Codex wants to edit /w/a.ts /w/b.ts:",
        detail: {
          format: "diff",
          text: "--- /w/a.ts\n+++ /w/a.ts\n@@ -1 +1 @@\n-old\n+new\n--- /dev/null\n+++ /w/b.ts\n@@ -0,0 +1,1 @@\n+line",
        },
        descriptions: { "allow always": "edits of the same files, until the agent's process ends" },
      },
    ]);
    expect(answers).toEqual([{ decision: "decline" }, { decision: "acceptForSession" }]);
  });

  it("for the network is decided by a person, whatever the policy allows for the command", () => {
    const request = { itemId: "i", command: "/bin/bash -lc 'curl x'", networkApprovalContext: { host: "x" } };
    const { asked, answers } = take([ask(COMMAND, request)], { permissions: "edits", allow: ["curl *"] });
    expect([asked.length, answers]).toEqual([1, []]);
  });

  it("in an unknown form is refused", () => {
    expect(take([ask(COMMAND, {}), ask(INPUT, {})]).refused).toEqual([-32602, -32602]);
  });
});

describe("the agent's own questions", () => {
  const questions = ["a", "b"].map((id) => ({
    id,
    question: `${id}?`,
    options: [{ label: "one", description: `${id} it is` }],
  }));

  it("are answered together", () => {
    const one = [ask(INPUT, { questions }), answer("q7-0", "one")];
    expect(take(one).asked[1]).toMatchObject({ id: "q7-1", descriptions: { one: "b it is" }, freeText: true });
    expect(take(one).answers).toEqual([]);
    const given = { answers: { a: { answers: ["one"] }, b: { answers: ["two"] } } };
    expect(take([...one, answer("q7-1", "two")]).answers).toEqual([given]);
  });

  it("are withdrawn by the program, together", () => {
    const { others, state } = take([ask(INPUT, { questions }), answer("q7-0", "one"), resolved]);
    expect(others).toEqual([
      ["withdrawn", "q7-0"],
      ["withdrawn", "q7-1"],
    ]);
    expect(state.approvals).toMatchObject({ open: [], answers: {} });
  });

  it("are answered at once if the list is empty", () => {
    expect(take([ask(INPUT, { questions: [] })])).toMatchObject({ asked: [], answers: [{ answers: {} }] });
  });
});

describe("an answer", () => {
  const question = ask(COMMAND, { itemId: "c", command: "make" });

  it.each<[string, readonly CodexNotice[], number]>([
    ["that comes twice counts once", [question, answer("q7", "allow"), answer("q7", "deny")], 1],
    ["to a withdrawn question is ignored", [question, resolved, answer("q7", "allow")], 0],
    [
      "to a question whose turn is over is ignored",
      [{ kind: "prompt", prompt: { id: "m", text: "" } }, question, completed, answer("q7", "allow")],
      0,
    ],
    ["to a question that was never asked is ignored", [answer("q1", "allow")], 0],
  ])("%s", (_what, notices, count) => {
    expect(take(notices).answers).toHaveLength(count);
  });
});

describe("requests that only the program's own interface can answer", () => {
  const methods = ["item/permissions/requestApproval", "mcpServer/elicitation/request"];
  const all = [...methods, "item/tool/call", "of/tomorrow"].map((method, n) => ask(method, {}, n));

  it("are declined without that interface", () => {
    const { answers, refused, others } = take(all);
    expect(answers).toMatchObject([{ permissions: {} }, { action: "decline" }]);
    expect(refused).toEqual([-32601, -32601]);
    expect(others).toEqual([["unknown", { kind: "of/tomorrow", body: {} }]]);
  });

  it("wait for a person if there is one", () => {
    const { answers, refused, others } = take([...all, ask(methods[0] ?? "", {}), resolved], {}, true);
    expect([answers, refused]).toEqual([[], []]);
    expect(others.map(([name]) => name)).toEqual(["stuck", "stuck", "unknown", "stuck", "working"]);
  });
});
