import { describe, expect, it } from "vitest";
import type { TranscriptItem } from "../../../../../src/protocol/views/transcript.ts";
import { addNewer, addOlder } from "./load-transcript.ts";
import { countEdits, outcomeOf, toToolCall } from "./tool-call.ts";
import { describeAbout, summarizeReads, toRows } from "./transcript-rows.ts";

let n = 0;
const at = (clock: string): string => `2026-11-16T${clock}:00.000Z`;
const head = (clock = "14:00"): { readonly id: string; readonly at: string } => ({ id: `i${++n}`, at: at(clock) });
const tool = (id: string, name: string, title: string, clock = "14:00"): TranscriptItem => ({
  ...head(clock),
  kind: "tool",
  tool: id,
  name,
  title,
  input: null,
});
const result = (id: string, text = "", ok = true): TranscriptItem => ({
  ...head(),
  kind: "result",
  tool: id,
  ok,
  text,
  omitted: 0,
});

describe("the rows of a transcript", () => {
  it("attach a result to its call", () => {
    const rows = toRows([tool("1", "Bash", "npm test"), result("1", "exit code 1", false)], true);
    expect(rows).toMatchObject([{ kind: "tools", lines: [[{ verb: "run", result: { ok: false } }]] }]);
  });

  it("join adjacent reads into one line", () => {
    const rows = toRows([tool("1", "Read", "a.ts"), tool("2", "Grep", "x"), tool("3", "Edit", "a.ts")], true);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ lines: [[{ line: "read a.ts" }, { line: "grep x" }], [{ line: "edit a.ts" }]] });
  });

  it("start over with the next minute", () => {
    expect(toRows([tool("1", "Read", "a.ts"), tool("2", "Read", "b.ts", "14:01")], true)).toHaveLength(2);
  });

  it("join the lines of a program's output", () => {
    const line = (text: string): TranscriptItem => ({ ...head(), kind: "output", stream: "out", text });
    expect(toRows([line("one"), line("two")], true)).toMatchObject([{ kind: "output", text: "one\ntwo" }]);
  });

  it("attach an answer to its question", () => {
    const question = { id: "q", kind: "question", question: "?", detail: null, choices: [], descriptions: {} } as const;
    const rows = toRows(
      [
        { ...head(), kind: "question", question: { ...question, freeText: true } },
        { ...head(), kind: "answer", questionId: "q", text: "yes" },
      ],
      true,
    );
    expect(rows).toMatchObject([{ kind: "question", answer: "yes" }]);
  });

  it("recognize the task as the very first message", () => {
    const message: TranscriptItem = { ...head(), kind: "message", from: "person", text: "x", about: null };
    const isTask = (isWhole: boolean) =>
      toRows([message, message], isWhole).map((row) => row.kind === "message" && row.isTask);
    expect(isTask(true)).toEqual([true, false]);
    expect(isTask(false)).toEqual([false, false]);
  });

  it("omit the end of a turn without content", () => {
    expect(toRows([{ ...head(), kind: "end", outcome: "done", text: null }], true)).toEqual([]);
    expect(toRows([{ ...head(), kind: "end", outcome: "interrupted", text: null }], true)).toHaveLength(1);
  });
});

it("names the first few files that were read", () => {
  const calls = ["src/a.ts", "src/b.ts", "c.ts", "d.ts"].map((path) =>
    toToolCall(tool("1", "Read", path) as Extract<TranscriptItem, { readonly kind: "tool" }>, null),
  );
  expect(summarizeReads(calls)).toBe("a.ts, b.ts, c.ts, 1 more");
});

it.each([
  ["run", "all good", true, "exit 0"],
  ["run", "FAIL\nexit code 1", false, "exit 1"],
  ["run", "killed", false, "failed"],
  ["read", "text", true, null],
] as const)("a call to %s that answers %j ends with %s", (verb, text, ok, word) => {
  const call = { id: "c", at: null, verb, line: "", input: null, result: result("c", text, ok) as never };
  expect(outcomeOf(call).word).toBe(word);
});

it("counts the lines of an edit", () => {
  expect(countEdits("--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a\n+b\n+c")).toEqual({ added: 2, removed: 1 });
  expect(countEdits("+ not a diff")).toBeNull();
});

it.each([
  ["ci-failed:unit", "check unit failed"],
  ["merge-conflict", "merge conflict"],
  ["something-new", "something new"],
])("describes %s", (about, text) => {
  expect(describeAbout(about)).toBe(text);
});

describe("a loaded transcript", () => {
  const items = (...ids: readonly string[]): TranscriptItem[] =>
    ids.map((id) => ({ id, at: null, kind: "say", text: id }));
  const loaded = { items: items("b", "c"), cursor: "c", older: "b" };

  it("grows at its end, each item once", () => {
    const page = { data: items("c", "d"), cursor: "d", older: null, over: false };
    expect(addNewer(loaded, page)).toEqual({ items: items("b", "c", "d"), cursor: "d", older: "b" });
  });

  it("grows at its beginning, each item once", () => {
    const page = { data: items("a", "b"), cursor: "b", older: null, over: false };
    expect(addOlder(loaded, page)).toEqual({ items: items("a", "b", "c"), cursor: "c", older: null });
  });
});
