import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { QuestionView } from "../../../src/protocol/views/question.ts";
import { keyOfChoice, primaryChoice } from "./question-choices.ts";
import { QuestionPanel } from "./question-panel.tsx";

const QUESTION: QuestionView = {
  id: "q-1",
  kind: "permission",
  question: "Claude Code wants to run:",
  detail: { format: "command", text: "npm install --save-dev msw" },
  choices: ["Allow once", "Always in tern", "Deny"],
  descriptions: { "Always in tern": "for npm install in this project" },
  freeText: false,
};

const render = (question: Partial<QuestionView>, props: { readonly sending?: string } = {}): string =>
  renderToStaticMarkup(
    <QuestionPanel question={{ ...QUESTION, ...question }} onAnswer={() => Promise.resolve()} {...props} />,
  );

describe("the question panel", () => {
  it("shows the command verbatim, with its hidden characters made visible", () => {
    expect(render({ detail: { format: "command", text: "rm -rf \u001b[8m/" } })).toContain("rm -rf \\x1b[8m/");
  });

  it("offers the agent's choices in the agent's order, with their meaning", () => {
    const html = render({});
    const places = QUESTION.choices.map((choice) => html.indexOf(`>${choice}<`));
    expect(places.every((place, n) => place > (places[n - 1] ?? 0))).toBe(true);
    expect(html).toContain("for npm install in this project");
  });

  it("offers free text if the agent accepts it, at once if there is no choice", () => {
    expect(render({ freeText: true })).toContain("Reply instead");
    expect(render({ freeText: false })).not.toContain("Reply instead");
    expect(render({ freeText: true, choices: [] })).toContain("<textarea");
  });

  it("offers nothing more once an answer is chosen", () => {
    expect(render({ answered: true })).toContain("on its way to the agent");
    expect(render({ answered: true })).not.toContain("<button");
    expect(render({}, { sending: "Deny" })).not.toContain("<button");
  });

  it("marks what an edit adds and removes", () => {
    const html = render({ detail: { format: "diff", text: "--- a/x\n+++ b/x\n-old\n+new" } });
    expect(html.match(/question-panel-added/g)).toHaveLength(1);
    expect(html.match(/question-panel-removed/g)).toHaveLength(1);
  });
});

it.each([
  ["permission", ["Allow once", "Deny"], "Allow once"],
  ["permission", ["Always allow", "Allow once"], null],
  ["permission", ["Yes, and don't ask again", "No"], null],
  ["question", ["All of them", "None"], "All of them"],
  ["question", [], null],
] as const)("a %s with %j suggests %s", (kind, choices, suggested) => {
  expect(primaryChoice({ kind, choices })).toBe(suggested);
});

it("assigns keys to the first nine choices", () => {
  expect([0, 8, 9].map(keyOfChoice)).toEqual(["1", "9", undefined]);
});
