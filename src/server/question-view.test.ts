import { expect, it } from "vitest";
import type { Question } from "../core/session/state.ts";
import { aQuestion } from "../testing/builders.ts";
import { toQuestionView } from "./question-view.ts";

const readBlob = async (): Promise<string> => "the whole text";

it("a question from an older version is shown with defaults", async () => {
  const old: Question = { id: "q", question: "Deploy?", choices: ["Yes"], run: 1, at: 1, answeredBy: null };
  expect(await toQuestionView(old, readBlob)).toEqual({
    ...{ id: "q", kind: "question", question: "Deploy?", detail: null, choices: ["Yes"] },
    ...{ descriptions: {}, freeText: false },
  });
});

it("details are loaded from the store", async () => {
  const text = { blob: "hash", bytes: 9000, start: "the" };
  const view = await toQuestionView(aQuestion({ detail: { format: "diff", text } }), readBlob);
  expect(view.detail).toEqual({ format: "diff", text: "the whole text" });
});
