import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { eventually } from "../../../testing/eventually.ts";
import { tempDir } from "../../../testing/temp.ts";
import { signalsOf, toldOf } from "../../../testing/transcript-lines.ts";
import { runBridge } from "../../bridge.ts";
import { openMemory } from "../../memory.ts";
import { createClaudeDriver } from "./claude.ts";

const fixtures = fileURLToPath(new URL("../../../../test/fixtures", import.meta.url));
const player = join(fixtures, "bin/claude-replay.mjs");

type Said = Readonly<Record<string, unknown>>;

/** Replays a recorded conversation: sends each entry once the one before was answered by a line of the given type. */
async function lead(
  recording: string,
  settings: Readonly<Record<string, unknown>>,
  steps: readonly (readonly [awaited: string | null, send: (last: Said) => object])[],
): Promise<{
  readonly said: readonly Said[];
  readonly lines: readonly string[];
  readonly complaints: readonly string[];
}> {
  const dir = tempDir();
  const input = new PassThrough();
  const lines: string[] = [];
  const complaints: string[] = [];
  const said = (): readonly Said[] => signalsOf(lines);
  const command = [process.execPath, player, join(fixtures, "agents/claude", recording)];
  const over = runBridge({
    createDriver: createClaudeDriver,
    settings: { command, ...settings },
    cwd: dir,
    env: { ...process.env, HOME: dir, AO_RESUME: undefined },
    folder: dir,
    memory: openMemory(join(dir, "memory.json")),
    input,
    write: (text) => void lines.push(...text.trimEnd().split("\n")),
    complain: (text) => void complaints.push(text),
    stop: new Promise(() => undefined),
  });
  let seen = 0;
  const hear = async (type: string): Promise<Said> => {
    await eventually(async () => {
      const failed = complaints[0];
      if (failed !== undefined) throw new Error(failed);
      expect(
        said()
          .slice(seen)
          .some((one) => one["type"] === type),
      ).toBe(true);
    });
    seen +=
      said()
        .slice(seen)
        .findIndex((one) => one["type"] === type) + 1;
    return said()[seen - 1] as Said;
  };
  for (const [awaited, send] of steps) {
    const last = awaited === null ? {} : await hear(awaited);
    input.write(`${JSON.stringify(send(last))}\n`);
  }
  await hear("done");
  input.end();
  expect(await over).toBe(0);
  return { said: said(), lines, complaints };
}

const task =
  (text: string): (() => object) =>
  () => ({ type: "task", id: "m1", text });
const answer =
  (choice: string) =>
  ({ id }: Said): object => ({ type: "answer", id, choice });

describe("recorded conversations with Claude Code", () => {
  it("a turn with a tool", async () => {
    const { said, lines } = await lead("turn.txt", {}, [[null, task("[[sh: echo hi > a.txt]] [[say: It is done.]]")]]);
    expect(said.map(({ type }) => type)).toEqual(["conversation", "received", "status", "usage", "done"]);
    expect(said.slice(1)).toMatchObject([
      { id: "m1" },
      { state: "working", note: "Bash: echo hi > a.txt" },
      { inputTokens: 2400, cachedTokens: 400, outputTokens: 100, costUsd: 0.01008, model: expect.any(String) },
      { summary: "It is done." },
    ]);
    expect(toldOf(lines)).toEqual(["tool Bash: echo hi > a.txt", expect.stringMatching(/^ok: /), "say: It is done."]);
  });

  it('a question answered with "always", and one answered with no', async () => {
    const { said } = await lead("question.txt", { permissions: "ask" }, [
      [null, task("[[sh: mkdir two]] [[sh: mkdir three]] [[say: over]]")],
      ["ask", answer("allow always")],
      ["ask", answer("deny")],
    ]);
    const questions = said.filter(({ type }) => type === "ask");
    expect(questions).toMatchObject([
      { kind: "permission", question: "Claude Code wants to run:", detail: { format: "command", text: "mkdir two" } },
      { kind: "permission", choices: ["allow", "allow always", "deny"] },
    ]);
  });

  it("a rate-limited request", async () => {
    // The turn would continue by itself after a while.
    const { said } = await lead("limit.txt", {}, [
      [null, task("[[error: 429]] [[error: 429]]")],
      ["status", () => ({})],
      ["status", () => ({ type: "interrupt", id: "i1" })],
    ]);
    const states = said.filter(({ type }) => type === "status");
    expect(states).toMatchObject([
      { state: "rate-limited", until: expect.any(String), note: expect.stringContaining("try 1 of 1") },
      {
        state: "rate-limited",
        until: expect.any(String),
        note: "API Error: Request rejected (429) · scripted error",
      },
    ]);
    expect(said.some(({ type }) => type === "usage")).toBe(false);
  });

  it("a rejected login", async () => {
    const { said } = await lead("login.txt", {}, [[null, task("[[error: 401]] [[error: 401]]")]]);
    expect(said.at(-1)).toMatchObject({ state: "errored", note: expect.stringMatching(/not logged in.*401/) });
  });

  it("two turns of version 2.1.197, which reports the cost of the whole process", async () => {
    const { said } = await lead("two-turns-2.1.197.txt", {}, [
      [null, task("[[sh: echo hi > a.txt]] [[say: It is done.]]")],
      ["done", () => ({ type: "message", id: "m2", text: "[[say: again]]" })],
    ]);
    const usage = said.filter(({ type }) => type === "usage");
    expect(usage).toMatchObject([
      { inputTokens: 2400, cachedTokens: 400, outputTokens: 100, model: expect.any(String) },
      { inputTokens: 1200, cachedTokens: 200, outputTokens: 50, model: expect.any(String) },
    ]);
    expect(usage.map(({ costUsd }) => Number(costUsd).toFixed(5))).toEqual(["0.01270", "0.00635"]);
  });
});
