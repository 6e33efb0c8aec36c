import { describe, expect, it } from "vitest";
import { toChoices } from "./choices.ts";

type Options = Parameters<typeof toChoices>[0];

function option(kind: string, name: string, optionId = name): Options[number] {
  return { kind, name, optionId };
}

function offered(options: Options): readonly (readonly [string, string | null, string])[] {
  return toChoices(options).map(({ name, description, option }) => [name, description, option.optionId]);
}

const UP_TO_IT = "what that covers and how long it holds is up to the agent";

describe("the choices of a permission question", () => {
  it("start with allow once, whatever the agent's order", () => {
    const goose = [
      option("allow_always", "Always Allow", "allow_always"),
      option("allow_once", "Allow Once", "allow_once"),
      option("reject_once", "Deny", "reject_once"),
      option("reject_always", "Never, ever", "reject_always"),
    ];
    for (const options of [goose, goose.toReversed()]) {
      expect(offered(options)).toEqual([
        ["allow", null, "allow_once"],
        ["allow always", UP_TO_IT, "allow_always"],
        ["deny", null, "reject_once"],
        ["deny always", `Never, ever; ${UP_TO_IT}`, "reject_always"],
      ]);
    }
  });

  it("say in the agent's words what two of one kind are", () => {
    const plan = [
      option("allow_always", "Yes, and accept all edits", "edits"),
      option("allow_always", "Yes, and bypass permissions", "bypass"),
      option("allow_once", "Yes, and ask about each edit", "default"),
      option("reject_once", "No, keep planning", "plan"),
    ];
    expect(offered(plan)).toEqual([
      ["allow", "Yes, and ask about each edit", "default"],
      ["allow always: Yes, and accept all edits", UP_TO_IT, "edits"],
      ["allow always: Yes, and bypass permissions", UP_TO_IT, "bypass"],
      ["deny", "No, keep planning", "plan"],
    ]);
  });

  it("cannot be named by the agent as if they were another one", () => {
    const hostile = [
      option("allow_always", "deny", "1"),
      option("", "allow", "2"),
      option("reject_once", "allow", "3"),
    ];
    expect(offered(hostile)).toEqual([
      ["allow always", UP_TO_IT, "1"],
      ["deny", null, "3"],
      ["other: allow", null, "2"],
    ]);
  });
});
