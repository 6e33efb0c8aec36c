import { describe, expect, it } from "vitest";
import { style } from "../../views/style.ts";
import { createRawOutput } from "./raw-output.ts";

const plain = style({});

function show(...parts: string[]): string {
  const transcript = createRawOutput(plain, (text) => text);
  return parts.map((part) => transcript.push(part)).join("") + transcript.end();
}

describe("an agent's protocol lines become sentences", () => {
  it.each([
    ['{"type":"status","state":"working","note":"reads"}', "[working: reads]\n"],
    ['{"type":"status","state":"idle"}', "[idle]\n"],
    ['{"type":"ask","id":"1","question":"May I?","choices":["yes","no"]}', "[asks: May I? (yes | no)]\n"],
    ['{"type":"usage","inputTokens":3,"outputTokens":4,"costUsd":0}', "[used 3 tokens in, 4 out]\n"],
    ['{"type":"done","summary":"all green"}', "[done: all green]\n"],
    ['{"type":"unask","id":"q1"}', "[its question is no longer open]\n"],
    ['{"type":"held","id":"m1","reason":"A person is typing."}', "[a message waits: A person is typing.]\n"],
    ['{"type":"say","text":"# Hi\\nyou"}', "# Hi\nyou\n"],
    ['{"type":"tool","id":"1","name":"Bash","title":"ls"}', "* Bash: ls\n"],
    ['{"type":"tool-result","id":"1","ok":true,"text":"a\\nb"}', "a\nb\n"],
    ['{"type":"tool-result","id":"1","ok":true,"text":""}', ""],
    ['{"type":"received","id":"m1"}', ""],
    ['{"type":"conversation","id":"c1"}', ""],
  ])("%s", (line, sentence) => {
    expect(show(`${line}\n`)).toBe(sentence);
  });
});

describe("everything else stays as is", () => {
  it.each(["plain text", "", "{ not json", '{"no":"type"}', "[1,2]", '  {"type":"status"}'])("%j", (line) => {
    expect(show(`${line}\n`)).toBe(`${line}\n`);
  });

  it("shows a protocol line of an unknown type in full", () => {
    expect(show('{"type":"else","name":"x"}\n')).toBe('{"type":"else","name":"x"}\n');
  });
});

it("waits for the end of a line that arrives in parts", () => {
  const transcript = createRawOutput(plain, (text) => text);
  expect(transcript.push('{"type":"sta')).toBe("");
  expect(transcript.push('tus","state":"idle"}\nnext')).toBe("[idle]\n");
  expect(transcript.end()).toBe("next\n");
  expect(transcript.end()).toBe("");
});
