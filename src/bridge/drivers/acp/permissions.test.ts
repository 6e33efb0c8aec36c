import { describe, expect, it } from "vitest";
import type { Question, Report } from "../../driver.ts";
import { createPermissions, type Permissions } from "./permissions.ts";
import { parseSettings } from "./settings.ts";
import { mergeTool } from "./tools.ts";

interface Desk {
  readonly permissions: Permissions;
  readonly questions: Question[];
  readonly withdrawn: string[];
  readonly responses: object[];
  readonly notes: string[];
  ask(command: string, toolCall?: object): void;
}

const OPTIONS = [
  { optionId: "A", name: "Always, for user", kind: "allow_always" },
  { optionId: "O", name: "Once", kind: "allow_once" },
  { optionId: "N", name: "No", kind: "reject_once" },
];

function aDesk(settings: object = {}): Desk {
  const [questions, responses]: [Question[], object[]] = [[], []];
  const [withdrawn, notes]: [string[], string[]] = [[], []];
  const report: Partial<Report> = {
    asked: (question) => questions.push(question),
    withdrawn: (id) => withdrawn.push(id),
    noted: () => undefined,
    working: (note = "") => notes.push(note),
  };
  const parsed = parseSettings({ name: "Made", command: ["x"], ...settings });
  const permissions = createPermissions(parsed, { cwd: "/w", home: "/h" }, report as Report);
  const ask: Desk["ask"] = (command, given) => {
    const toolCall = given ?? { toolCallId: `tool ${command}`, kind: "execute", rawInput: { command } };
    const params = { toolCall, options: OPTIONS };
    const respond = (response: object): void => void responses.push(response);
    const asked = { id: 1, method: "session/request_permission", params, respond, refuse: () => undefined };
    permissions.ask(asked, (request) => mergeTool(undefined, request.toolCall, false));
  };
  return { permissions, questions, withdrawn, responses, notes, ask };
}

function selected(optionId: string): object {
  return { outcome: { outcome: "selected", optionId } };
}

describe("a question of the agent", () => {
  it.each([
    ["Once", "O"],
    ["once", "O"],
    ["allow", "O"],
    ["Always, for user", "A"],
    ["No", "N"],
    ["deny", "N"],
    ["please do not", "N"],
  ])("that is answered with %s selects %s", (choice, option) => {
    const { permissions, questions, responses, ask } = aDesk();
    ask("make");
    expect(questions).toMatchObject([
      {
        question: "Made wants to run:",
        detail: { format: "command", text: "make" },
        choices: ["Always, for user", "Once", "No"],
      },
    ]);
    permissions.answer(questions[0]?.id ?? "", choice);
    permissions.answer(questions[0]?.id ?? "", choice);
    expect(responses).toEqual([selected(option)]);
  });

  it("shows the diff of an edit, and that `always` is up to the agent", () => {
    const content = [{ type: "diff", path: "/w/a.ts", oldText: "old\n", newText: "new\n" }];
    const { questions, ask } = aDesk();
    ask("", { toolCallId: "t", kind: "edit", title: "Edit a.ts", content });
    expect(questions).toMatchObject([
      {
        question: "Made asks for permission: Edit a.ts /w/a.ts:",
        detail: { format: "diff", text: "--- /w/a.ts\n+++ /w/a.ts\n@@ -1,1 +1,1 @@\n-old\n+new" },
        descriptions: { "Always, for user": "what that covers and how long it holds is up to the agent" },
        freeText: true,
      },
    ]);
  });

  it("shows the texts of a call, or what it is given", () => {
    const { questions, ask } = aDesk();
    const texts = ["one\ntwo", "three"].map((text) => ({ type: "content", content: { type: "text", text } }));
    ask("", { toolCallId: "t", kind: "fetch", title: "Fetch", content: texts });
    ask("", { toolCallId: "u", kind: "other", title: "Tool", rawInput: { a: "b" } });
    expect(questions.map(({ detail }) => detail?.text)).toEqual(["one\ntwo\nthree", '{\n  "a": "b"\n}']);
  });

  it("is answered by the policy, never for longer than once, and what is allowed is told", () => {
    const { questions, responses, notes, ask } = aDesk({ allow: ["make"], deny: ["rm *"] });
    ask("make");
    ask("rm x");
    expect(questions).toEqual([]);
    expect(responses).toEqual([selected("O"), selected("N")]);
    expect(notes).toEqual(["make"]);
  });

  it("has no choices that are hidden", () => {
    const { permissions, questions, responses, ask } = aDesk({ hide: ["A"] });
    ask("make");
    expect(questions[0]?.choices).toEqual(["Once", "No"]);
    permissions.answer(questions[0]?.id ?? "", "Always, for user");
    expect(responses).toEqual([selected("N")]);
  });

  it("is cancelled with the turn, and withdrawn when the tool goes on without it", () => {
    const { permissions, questions, withdrawn, responses, ask } = aDesk();
    ask("one");
    ask("two");
    permissions.forget("tool one");
    expect(withdrawn).toEqual([questions[0]?.id]);
    permissions.cancel();
    expect(responses).toEqual([{ outcome: { outcome: "cancelled" } }]);
  });
});
