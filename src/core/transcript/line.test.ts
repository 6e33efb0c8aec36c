import { describe, expect, it } from "vitest";
import { decodeSignal } from "../lines-protocol.ts";
import { decodeTranscriptLine, encodeTranscriptLine, MAX_RESULT, type TranscriptLine } from "./line.ts";

const AT = Date.parse("2026-11-15T18:41:00Z");

const LINES: readonly TranscriptLine[] = [
  { kind: "say", text: "# Done\n\nIt *works*.", at: AT },
  { kind: "tool", id: "t1", name: "Bash", title: "npm test\nnpm run lint", input: null, at: AT },
  { kind: "tool", id: "t2", name: "Write", title: "a.txt", input: "one\ntwo", at: null },
  { kind: "tool-result", id: "t1", ok: false, text: "exit code 1", omitted: 0, at: AT },
  { kind: "tool-result", id: "t2", ok: true, text: "", omitted: 7, at: AT },
  { kind: "prompt", text: "typed here", at: AT },
  { kind: "note", text: "denied", at: AT },
];

describe("a line of the transcript", () => {
  it.each(LINES)("survives encoding and decoding: $kind", (line) => {
    const encoded = encodeTranscriptLine(line);
    expect(encoded.split("\n")).toHaveLength(2);
    expect(decodeTranscriptLine(encoded.trimEnd())).toEqual(line);
  });

  it.each(LINES)("is not a signal to ao: $kind", (line) => {
    expect(decodeSignal(encodeTranscriptLine(line).trimEnd())).toBeNull();
  });

  it("cuts a long result, and notes how much was left out", () => {
    const text = "x".repeat(MAX_RESULT + 5);
    const line = encodeTranscriptLine({ kind: "tool-result", id: "t", ok: true, text, omitted: 0, at: null });
    expect(decodeTranscriptLine(line)).toMatchObject({ text: "x".repeat(MAX_RESULT), omitted: 5 });
  });
});

describe("what an agent may leave out", () => {
  it.each([
    ['{"type":"tool","id":"1"}', { kind: "tool", name: "tool", title: "tool", input: null, at: null }],
    ['{"type":"tool","id":"1","name":"Read","input":{"path":"a"}}', { title: "Read", input: '{"path":"a"}' }],
    ['{"type":"tool-result","id":"1"}', { ok: true, text: "", omitted: 0 }],
    ['{"type":"say","text":"hi","at":"yesterday"}', { text: "hi", at: null }],
  ])("%s", (line, expected) => {
    expect(decodeTranscriptLine(line)).toMatchObject(expected);
  });
});

it.each([
  "plain",
  "{ no json",
  "{}",
  "[]",
  '{"type":"say"}',
  '{"type":"say","text":""}',
  '{"type":"say","text":3}',
  '{"type":"tool","title":"no id"}',
  '{"type":"tool-result"}',
  '{"type":"done","summary":"x"}',
  '{"type":"constructor"}',
])("is output like any other: %s", (line) => {
  expect(decodeTranscriptLine(line)).toBeNull();
});
