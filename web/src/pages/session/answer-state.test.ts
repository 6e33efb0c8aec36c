import { describe, expect, it } from "vitest";
import { answerState, canAnswer } from "./answer-state.ts";

const QUESTION = { id: "q-2" };
const rejected = new Error("too late");
const idle = { isPending: false, error: null, variables: undefined };
const sent = (questionId: string) => ({ choice: "Deny", questionId });

describe("the keys 1-9 on a session page", () => {
  it.each([
    ["nothing was answered yet", idle, true],
    ["an earlier question was answered", { ...idle, variables: sent("q-1") }, true],
    ["the answer to an earlier question was rejected", { ...idle, error: rejected, variables: sent("q-1") }, true],
    ["the answer to this question was rejected", { ...idle, error: rejected, variables: sent("q-2") }, true],
    ["the answer to an earlier question is on its way", { ...idle, isPending: true, variables: sent("q-1") }, true],
    ["an answer is on its way", { ...idle, isPending: true, variables: sent("q-2") }, false],
  ])("%s: %o gives %s", (_, answer, expected) => {
    expect(canAnswer(QUESTION, answer)).toBe(expected);
  });

  it("do nothing without an open question", () => {
    expect(canAnswer(null, idle)).toBe(false);
    expect(canAnswer({ ...QUESTION, answered: true }, idle)).toBe(false);
  });
});

describe("what a question shows about its answer", () => {
  it("is the answer on its way", () => {
    const answer = { ...idle, isPending: true, variables: sent("q-2") };
    expect(answerState(QUESTION, answer)).toEqual({ sending: "Deny", failure: null });
  });

  it("is why its answer was rejected", () => {
    const answer = { ...idle, error: rejected, variables: sent("q-2") };
    expect(answerState(QUESTION, answer)).toEqual({ sending: null, failure: rejected });
  });

  it("is nothing about the answer to another question", () => {
    const nothing = { sending: null, failure: null };
    expect(answerState(QUESTION, { ...idle, error: rejected, variables: sent("q-1") })).toEqual(nothing);
    expect(answerState(QUESTION, { ...idle, isPending: true, variables: sent("q-1") })).toEqual(nothing);
  });
});
