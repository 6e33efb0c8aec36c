import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { eventually } from "../../../testing/eventually.ts";
import { PATIENCE_MS } from "../../../testing/patience.ts";
import { tempDir } from "../../../testing/temp.ts";
import { toldOf } from "../../../testing/transcript-lines.ts";
import { runBridge } from "../../bridge.ts";
import { openMemory } from "../../memory.ts";
import { createCodexDriver } from "./codex.ts";

const fixtures = fileURLToPath(new URL("../../../../test/fixtures", import.meta.url));
const command = [
  process.execPath,
  join(fixtures, "bin/codex-replay.mjs"),
  join(fixtures, "agents/codex/conversation.txt"),
];

type Said = Readonly<Record<string, unknown>>;

/** A bridge whose input the test writes. */
function startBridge(settings: Readonly<Record<string, unknown>>): {
  readonly input: PassThrough;
  readonly lines: readonly string[];
  readonly complaints: readonly string[];
  readonly over: Promise<number>;
  said(type: string): readonly Said[];
  hear(type: string, n: number): Promise<Said>;
} {
  const dir = tempDir();
  const input = new PassThrough();
  const lines: string[] = [];
  const complaints: string[] = [];
  const over = runBridge({
    createDriver: createCodexDriver,
    settings,
    cwd: dir,
    env: { ...process.env, HOME: dir, AO_RESUME: undefined },
    folder: dir,
    memory: openMemory(join(dir, "memory.json")),
    input,
    write: (text) => void lines.push(...text.trimEnd().split("\n")),
    complain: (text) => void complaints.push(text),
    stop: new Promise(() => undefined),
  });
  const said = (type: string): readonly Said[] =>
    lines
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as Said)
      .filter((one) => one["type"] === type);
  const hear = async (type: string, n: number): Promise<Said> => {
    await eventually(async () => {
      expect(complaints).toEqual([]);
      expect(said(type).length).toBeGreaterThanOrEqual(n);
    });
    return said(type)[n - 1] as Said;
  };
  return { input, lines, complaints, over, said, hear };
}

describe("a recorded conversation with Codex", () => {
  it("is reported with its questions, its usage and its failures", async () => {
    const { input, lines, over, said, hear } = startBridge({ command });
    const send = (message: object): void => void input.write(`${JSON.stringify(message)}\n`);
    send({ type: "task", id: "m1", text: "[[run: touch yes.txt]] [[run: touch no.txt]] [[say: over]]" });
    const choices = ["allow", "deny"];
    const first = await hear("ask", 1);
    expect(first).toMatchObject({ kind: "permission", detail: { format: "command", text: "touch yes.txt" }, choices });
    send({ type: "answer", id: first["id"], choice: "allow" });
    send({ type: "answer", id: (await hear("ask", 2))["id"], choice: "deny" });
    expect(await hear("done", 1)).toMatchObject({ summary: "over" });
    const yes = ["tool shell: touch yes.txt", "ok: "];
    expect(toldOf(lines)).toEqual([...yes, "tool shell: touch no.txt", "failed: declined", "say: over"]);
    const call = { inputTokens: 1200, cachedTokens: 200, outputTokens: 50, model: "gpt-5" };
    expect(said("usage")).toMatchObject([call, call, call]);
    send({ type: "message", id: "m2", text: "[[error: 401]]" });
    await hear("done", 2);
    expect(said("status").at(-1)).toMatchObject({ state: "errored", note: expect.stringMatching(/401.*codex login/) });
    send({ type: "message", id: "m3", text: "[[error: 429]]" });
    const limited = { state: "rate-limited", note: expect.stringContaining("429") };
    await eventually(async () => expect(said("status").at(-1)).toMatchObject(limited));
    expect(said("received").map(({ id }) => id)).toEqual(["m1", "m2", "m3"]);
    input.end();
    expect(await over).toBe(0);
  });
});

describe("a Codex that fails to start", () => {
  it.each([
    ["is not there", ["no-such-codex"], /Codex \(no-such-codex\) is gone: could not be started/],
    ["ends at once", [process.execPath, "-e", "console.error('no key'); process.exit(3)"], /exit code 3: no key/],
    ["never answers", [process.execPath, "-e", "setInterval(() => {}, 1000)"], /did not answer \(initialize\) within/],
  ])("is reported in a sentence when it %s", async (what, program, sentence) => {
    // Only silence is measured by the clock: on a busy machine a program takes time to start.
    const startLimitMs = what === "never answers" ? 2000 : PATIENCE_MS;
    const { over, complaints } = startBridge({ command: program, startLimitMs });
    expect(await over).toBe(1);
    expect(complaints[0]).toMatch(sentence);
  });
});
