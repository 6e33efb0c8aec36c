import { describe, expect, it } from "vitest";
import type { Question } from "../../driver.ts";
import type { ReportCall, Step } from "../../kit/reducer.ts";
import { parsePermissionRequest } from "./messages.ts";
import { answer, ask, cancelAll, type OpenQuestion, type RespondRequest, withdraw } from "./permissions.ts";
import { parseSettings } from "./settings.ts";
import { mergeTool } from "./tools.ts";

const OPTIONS = [
  { optionId: "A", name: "Always, for user", kind: "allow_always" },
  { optionId: "O", name: "Once", kind: "allow_once" },
  { optionId: "N", name: "No", kind: "reject_once" },
];

/** Open questions, and everything that the steps so far produced. */
function asking(more: object = {}) {
  const settings = parseSettings({ name: "Made", command: ["x"], ...more });
  const rules = { settings, place: { cwd: "/w", home: "/h" } };
  let open: readonly OpenQuestion[] = [];
  const reports: ReportCall[] = [];
  const responses: object[] = [];
  const take = (next: Step<readonly OpenQuestion[], RespondRequest>): void => {
    open = next.state;
    reports.push(...next.reports);
    responses.push(...next.requests.map(({ result }) => result));
  };
  const questions = (): readonly Question[] => reports.flatMap(([name, value]) => (name === "asked" ? [value] : []));
  return {
    responses,
    questions,
    reports,
    ask: (command: string, given?: object) => {
      const toolCall = given ?? { toolCallId: `tool ${command}`, kind: "execute", rawInput: { command } };
      const request = parsePermissionRequest({ toolCall, options: OPTIONS });
      if (request === null) throw new Error("not a request");
      const tool = mergeTool(undefined, request.toolCall, false);
      const id = `q${reports.length}`;
      take(ask(open, { id, requestId: id, options: request.options, tool }, rules));
    },
    answer: (choice: string) => take(answer(open, questions()[0]?.id ?? "", choice)),
    withdraw: (toolId: string) => take(withdraw(open, toolId)),
    cancel: () => take(cancelAll(open)),
  };
}

function selected(optionId: string): object {
  return { outcome: { outcome: "selected", optionId } };
}

describe("a question of the agent", () => {
  it.each([
    ["allow", "O"],
    ["allow once", "O"],
    ["Allow always", "A"],
    ["deny", "N"],
    ["please do not", "N"],
    // The agent's own words, by which older versions offered them.
    ["once", "O"],
    ["Always, for user", "A"],
    ["no", "N"],
  ])("answered with %s selects %s", (choice, option) => {
    const { questions, responses, ...agent } = asking();
    agent.ask("make");
    expect(questions()).toMatchObject([
      {
        question: "Made wants to run:",
        detail: { format: "command", text: "make" },
        choices: ["allow", "allow always", "deny"],
      },
    ]);
    agent.answer(choice);
    agent.answer(choice);
    expect(responses).toEqual([selected(option)]);
  });

  it("shows the diff of an edit, and that the agent decides what `always` means", () => {
    const content = [{ type: "diff", path: "/w/a.ts", oldText: "old\n", newText: "new\n" }];
    const { questions, ...agent } = asking();
    agent.ask("", { toolCallId: "t", kind: "edit", title: "Edit a.ts", content });
    expect(questions()).toMatchObject([
      {
        question: "Made asks for permission: Edit a.ts /w/a.ts:",
        detail: { format: "diff", text: "--- /w/a.ts\n+++ /w/a.ts\n@@ -1,1 +1,1 @@\n-old\n+new" },
        descriptions: {
          "allow always": "Always, for user; what that covers and how long it holds is up to the agent",
        },
        freeText: true,
      },
    ]);
  });

  it("shows the texts or the input of a call", () => {
    const { questions, ...agent } = asking();
    const texts = ["one\ntwo", "three"].map((text) => ({ type: "content", content: { type: "text", text } }));
    agent.ask("", { toolCallId: "t", kind: "fetch", title: "Fetch", content: texts });
    agent.ask("", { toolCallId: "u", kind: "other", title: "Tool", rawInput: { a: "b" } });
    expect(questions().map(({ detail }) => detail?.text)).toEqual(["one\ntwo\nthree", '{\n  "a": "b"\n}']);
  });

  it("is answered by the policy, never for longer than once, and reports what was allowed", () => {
    const { reports, responses, ...agent } = asking({ allow: ["make"], deny: ["rm *"] });
    agent.ask("make");
    agent.ask("rm x");
    expect(reports).toEqual([
      ["working", "make"],
      ["noted", "denied by the policy: rm x"],
    ]);
    expect(responses).toEqual([selected("O"), selected("N")]);
  });

  it("omits hidden choices", () => {
    const { questions, responses, ...agent } = asking({ hide: ["A"] });
    agent.ask("make");
    expect(questions()[0]?.choices).toEqual(["allow", "deny"]);
    agent.answer("Always, for user");
    expect(responses).toEqual([selected("N")]);
  });

  it("is cancelled with the turn, and withdrawn when the tool continues without it", () => {
    const { questions, reports, responses, ...agent } = asking();
    agent.ask("one");
    agent.ask("two");
    agent.withdraw("tool one");
    expect(reports.at(-1)).toEqual(["withdrawn", questions()[0]?.id]);
    agent.cancel();
    expect(responses).toEqual([{ outcome: { outcome: "cancelled" } }]);
  });
});
