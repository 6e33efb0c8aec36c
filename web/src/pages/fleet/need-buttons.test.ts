import { describe, expect, it } from "vitest";
import { anAction, anAttention, aSession } from "../../../../test/support/session-views.ts";
import { fitBeside, needButtons, pullRequestPath } from "./need-buttons.ts";

const question = (choices: readonly string[], kind: "permission" | "question" = "permission") => ({
  id: "q1",
  kind,
  question: "May I?",
  detail: null,
  choices,
  descriptions: {},
  freeText: true,
});
const asking = (choices: readonly string[], kind?: "permission" | "question") =>
  aSession({
    attention: anAttention("permission", { actions: [anAction("answer")] }),
    question: question(choices, kind),
  });
const labels = (session: ReturnType<typeof aSession>) => needButtons(session).map(({ label, key }) => [label, key]);

describe("the buttons of a need", () => {
  it("are the agent's own choices in order, on 1 to 9", () => {
    expect(labels(asking(["Allow", "Always", "Deny"]))).toEqual([
      ["Allow", "1"],
      ["Always", "2"],
      ["Deny", "3"],
    ]);
  });

  it("include a reply beside the choices of a question", () => {
    expect(labels(asking(["Half up", "Half even"], "question")).at(-1)).toEqual(["Reply", "m"]);
  });

  it("include a reply beside three choices too, unless other words are no answer", () => {
    const session = asking(["one", "two", "three"], "question");
    expect(labels(session).map(([label]) => label)).toEqual(["one", "two", "three", "Reply"]);
    const closed = { ...session, question: { ...question(["one"], "question"), freeText: false } };
    expect(labels(closed)).toEqual([["one", "1"]]);
  });

  it("hide no choice that has a key; the session has the rest", () => {
    const choices = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"];
    expect(labels(asking(choices)).slice(-2)).toEqual([
      ["i", "9"],
      ["2 more", "o"],
    ]);
    expect(labels(asking(choices.slice(0, 4))).at(-1)).toEqual(["d", "4"]);
  });

  it("fit beside the need if they are short", () => {
    const isShort = (...choices: readonly string[]) => fitBeside(needButtons(asking(choices)));
    expect(isShort("Allow once", "Always", "Deny")).toBe(true);
    expect(isShort("Allow", "Always", "Deny", "Explain")).toBe(false);
    expect(isShort("Yes", "Only for the invoices of this year")).toBe(false);
    expect(isShort("允许一次这个命令", "总是允许这个命令")).toBe(false);
  });

  it("are the daemon's actions, in order", () => {
    const actions = [anAction("merge", { pullRequest: "app/3" }), anAction("review", { pullRequest: "app/3" })];
    expect(needButtons(aSession({ attention: anAttention("approved-and-green", { actions }) }))).toEqual([
      { does: "merge", label: "Merge", key: "Shift M" },
      { does: "open", label: "Review", href: "/p/app/pr/3" },
    ]);
  });

  it("leave dismissing to its key if two others help", () => {
    const of = (...names: readonly Parameters<typeof anAction>[0][]) => {
      const actions = names.map((name) => anAction(name, { pullRequest: "app/3" }));
      return needButtons(aSession({ attention: anAttention("ci-failed:unit", { actions }) })).map(({ label }) => label);
    };
    expect(of("log", "message", "dismiss")).toEqual(["View log", "Message"]);
    expect(of("message", "dismiss")).toEqual(["Message", "Dismiss"]);
    expect(of("merge", "review", "dismiss", "stop")).toEqual(["Merge", "Review", "Stop"]);
  });

  it("are gone once the question is answered", () => {
    const session = asking(["Allow", "Deny"]);
    const answered = { ...session, question: { ...question(["Allow"]), answered: true as const } };
    expect(needButtons(answered).map(({ does }) => does)).toEqual(["open"]);
    expect(needButtons(aSession())).toEqual([]);
  });
});

it("a pull request's path splits its key at the last slash", () => {
  expect(pullRequestPath("group/app/12")).toBe("/p/group%2Fapp/pr/12");
});
