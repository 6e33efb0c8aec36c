import { describe, expect, it } from "vitest";
import { defineCommand, SESSION_ARGUMENT } from "../command.ts";
import { parseArguments } from "./parse-arguments.ts";

const spec = defineCommand({
  name: "send",
  summary: "",
  usage: ['SESSION "MESSAGE"'],
  arguments: [
    { name: "SESSION", summary: "" },
    { name: "MESSAGE", summary: "", optional: true, text: true },
  ],
  options: {
    file: { type: "string", short: "f", summary: "" },
    label: { type: "string", multiple: true, summary: "" },
    json: { type: "boolean", summary: "" },
    takeover: { type: "boolean", later: true, summary: "" },
  },
  examples: [],
});

const many = defineCommand({
  name: "new",
  summary: "",
  usage: ["ISSUE ..."],
  arguments: [{ name: "ISSUE", summary: "", many: true, optional: true }],
  options: {},
  examples: [],
});

describe("what is accepted", () => {
  it.each([
    { args: ["s", "hello"], gives: { args: ["s", "hello"], options: {} } },
    { args: ["--json", "s"], gives: { args: ["s"], options: { json: true } } },
    { args: ["s", "-f", "a.md"], gives: { args: ["s"], options: { file: "a.md" } } },
    { args: ["s", "--file=-odd"], gives: { args: ["s"], options: { file: "-odd" } } },
    { args: ["s", "--file", "-"], gives: { args: ["s"], options: { file: "-" } } },
    { args: ["s", "--label", "a", "--label", "b"], gives: { args: ["s"], options: { label: ["a", "b"] } } },
    { args: ["s", "--", "--json"], gives: { args: ["s", "--json"], options: {} } },
    { args: ["s", "-1 is negative"], gives: { args: ["s", "-1 is negative"], options: {} } },
    { args: ["s", "--fix the tests"], gives: { args: ["s", "--fix the tests"], options: {} } },
    { args: ["s", "--json", "-x"], gives: { args: ["s", "-x"], options: { json: true } } },
    { args: ["s", ""], gives: { args: ["s", ""], options: {} } },
  ])("$args", async ({ args, gives }) => {
    expect(await parseArguments(spec, args)).toEqual({ rest: [], ...gives });
  });

  it("accepts any number of words where many are allowed", async () => {
    expect((await parseArguments(many, ["1", "2", "3"])).args).toEqual(["1", "2", "3"]);
  });
});

describe("what is rejected, and the suggestion", () => {
  it.each([
    { args: [], message: '"ao send" needs SESSION', hint: 'usage: ao send SESSION "MESSAGE"' },
    { args: ["s", "a", "b"], message: 'unexpected argument for "ao send": "b"', hint: "usage:" },
    { args: ["--jsno", "s"], message: 'unknown option --jsno for "ao send"', hint: 'did you mean "--json"?' },
    { args: ["-z", "s"], message: 'unknown option -z for "ao send"', hint: "--help lists the options" },
    { args: ["s", "--file"], message: "--file needs a value", hint: "usage:" },
    { args: ["s", "--file", "--json"], message: "--file needs a value", hint: "--file=--json" },
    { args: ["s", "--json=yes"], message: "--json takes no value", hint: "usage:" },
  ])("$args", async ({ args, message, hint }) => {
    await expect(parseArguments(spec, args)).rejects.toMatchObject({
      code: "usage",
      message,
      hint: expect.stringContaining(hint),
    });
  });

  it("reports a planned option as such instead of calling it unknown", async () => {
    await expect(parseArguments(spec, ["s", "--takeover"])).rejects.toMatchObject({
      code: "unsupported",
      message: '--takeover of "ao send" is not in this version',
    });
  });
});

describe("a command that runs another", () => {
  const spec = defineCommand({
    name: "run",
    summary: "",
    usage: ["[SESSION] -- COMMAND"],
    arguments: [SESSION_ARGUMENT],
    options: {},
    examples: [],
    takesCommand: true,
  });

  it.each([
    [["s", "--", "npm", "test", "--", "-x"], { args: ["s"], rest: ["npm", "test", "--", "-x"], options: {} }],
    [["--", "ls", "--json"], { args: [], rest: ["ls", "--json"], options: {} }],
    [["s"], { args: ["s"], rest: [], options: {} }],
  ])("%j", async (args, gives) => {
    expect(await parseArguments(spec, args)).toEqual(gives);
  });
});
