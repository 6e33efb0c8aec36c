import fc from "fast-check";
import { expect, it } from "vitest";
import { readText, storeText } from "../src/app/actions/store-text.ts";
import type { Question } from "../src/bridge/driver.ts";
import { createPrinter } from "../src/bridge/print.ts";
import { renderQuestion } from "../src/cli/views/question-view.ts";
import { style } from "../src/cli/views/style.ts";
import { visible } from "../src/cli/views/visible.ts";
import { decodeSignal } from "../src/core/lines-protocol.ts";
import { completeAsked } from "../src/core/question.ts";
import { decideObservation } from "../src/core/session/decide-observation.ts";
import { storeSignal } from "../src/engine/run-reader.ts";
import type { QuestionView } from "../src/protocol/views/question.ts";
import { toQuestionView } from "../src/server/question-view.ts";
import { afterEvents, aSession } from "../src/testing/builders.ts";
import { createMemoryStore } from "../src/testing/memory-store.ts";

/** The whole path of a question: printed by the bridge, decoded, stored, decided, evolved, and returned by the API. */
async function carry(question: Question): Promise<QuestionView> {
  const lines: string[] = [];
  createPrinter((line) => lines.push(line)).ask(question);
  const signal = decodeSignal(lines[0]?.replace(/\n$/, "") ?? "");
  if (signal?.kind !== "asked") throw new Error("the line is not understood");
  const store = createMemoryStore();
  const stored = await storeSignal(signal, async (text) => (await storeText(store, text)).text);
  const before = aSession();
  const observation = { type: "run.signals", sessionId: before.id, run: before.run.n, signals: [stored] } as const;
  const events = decideObservation(before, observation);
  for (const event of events) expect(JSON.stringify(event).length).toBeLessThan(16 * 1024);
  const after = afterEvents(before, JSON.parse(JSON.stringify(events)));
  if (after.question === null) throw new Error("there is no question");
  return toQuestionView(after.question, (text) => readText(store, text));
}

const character = fc.oneof(
  { weight: 6, arbitrary: fc.string({ minLength: 1, maxLength: 1 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom("\n", "\n", "\t", "\r", "\u001b[31m", "\u001b]0;x\u0007", "\u202e", "\u2028", "{", "日"),
  },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) },
);
const text = fc.string({ unit: character, maxLength: 400 });
const long = fc.array(text, { maxLength: 60 }).map((lines) => lines.join("\n"));
const format = fc.constantFrom("command" as const, "diff" as const, "text" as const);
const asked = fc.record({
  id: fc.constant("q-1"),
  kind: fc.constantFrom("permission" as const, "question" as const),
  question: text,
  detail: fc.option(fc.record({ format, text: long })),
  choices: fc.uniqueArray(fc.string({ unit: character, minLength: 1, maxLength: 30 }), { maxLength: 6 }),
  freeText: fc.boolean(),
});

it("every line of a question is shown in order, with nothing that controls a terminal", async () => {
  await fc.assert(
    fc.asyncProperty(asked, fc.integer({ min: 20, max: 200 }), async (question, width) => {
      const view = await carry(question);
      expect(view).toEqual({ id: question.id, ...completeAsked(question) });
      const shown = renderQuestion(view, style({}));
      for (const line of [...shown, ...renderQuestion(view, style({}), width)]) {
        expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
      }
      const lines = (question.detail?.text ?? "").replace(/\n$/, "").split("\n");
      const head = visible(question.question).split("\n");
      expect(shown.slice(0, head.length)).toEqual(head);
      if (question.detail === null) return;
      const detail = lines.map((line) => `│ ${visible(line)}`);
      expect(shown.slice(head.length, head.length + lines.length)).toEqual(detail);
    }),
    { numRuns: 60 },
  );
});

it("a wrapped line is unchanged when unwrapped", async () => {
  await fc.assert(
    fc.asyncProperty(long, fc.integer({ min: 4, max: 80 }), async (detail, width) => {
      const view = await carry({
        id: "q",
        kind: "permission",
        question: "?",
        choices: [],
        detail: { format: "command", text: detail },
      });
      const rows = renderQuestion(view, style({}), width).filter((line) => /^[│┊] /.test(line));
      const joined = rows.map((row) => (row.startsWith("┊") ? row.slice(2) : `\n${row.slice(2)}`)).join("");
      expect(joined.slice(1)).toBe(visible(detail.replace(/\n$/, "")));
    }),
    { numRuns: 40 },
  );
});
