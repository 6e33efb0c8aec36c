import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { tempDir } from "../testing/temp.ts";
import { parseScript, readScript } from "./read-script.ts";

const page = fileURLToPath(new URL("../../docs/plugins/agent/rehearsal.md", import.meta.url));
const scene = (step: string): string => `scenes:\n  - do:\n      - ${step}\n`;

describe("a script", () => {
  it("needs only one scene", () => {
    expect(parseScript(scene("say: hello"), "s")).toEqual({
      seed: 0,
      pace: 1,
      scenes: [{ when: { kind: "any" }, do: [{ kind: "say", value: "hello" }] }],
    });
  });

  it.each([
    ["wait: 200ms", 200],
    ["wait: 3s", 3000],
    ["wait: 2m", 120_000],
  ])("parses %s", (step, value) => {
    expect(parseScript(scene(step), "s").scenes[0]?.do).toEqual([{ kind: "wait", value }]);
  });

  it.each([
    ["wait: soon", "scenes.0.do.0.wait: expected a time"],
    ["sya: hello", 'scenes.0.do.0: Unrecognized key: "sya"'],
    ["{ say: a, note: b }", "scenes.0.do.0: expected exactly one of say, note"],
    ["{}", "scenes.0.do.0: expected exactly one of"],
    ["write: { path: ../x, text: a }", "scenes.0.do.0.write.path: expected a path inside the working folder"],
    ["write: { path: .git/config, text: a }", "scenes.0.do.0.write.path: expected a path inside"],
    ["delete: /etc/passwd", "scenes.0.do.0.delete: expected a path inside"],
    ["crash: { code: 300 }", "scenes.0.do.0.crash.code: Too big"],
    ["crash: now", "scenes.0.do.0.crash: expected { code: 0 to 255 } or { signal: SIGKILL"],
    ["hang: false", "scenes.0.do.0.hang"],
    ["maybe: { chance: 2, do: [] }", "scenes.0.do.0.maybe.chance"],
    ["maybe: { chance: 1, do: [{ wait: x }] }", "scenes.0.do.0.maybe.do.0.wait: expected a time"],
    ["ask: { question: Q, choices: [a], then: { b: [] } }", "scenes.0.do.0.ask.then.b: is not one of the choices"],
    ["usage: { inputTokens: -1 }", "scenes.0.do.0.usage.inputTokens"],
    ["run: []", "scenes.0.do.0.run"],
  ])("with the step %s is rejected at its place", (step, message) => {
    expect(() => parseScript(scene(step), "s.yaml")).toThrow(message);
    expect(() => parseScript(scene(step), "s.yaml")).toThrow("The script s.yaml cannot be played");
  });

  it.each([
    ["", "the script: "],
    ["scenes: []", "scenes: "],
    ["{ pace: -1, scenes: [{ do: [] }] }", "pace: "],
    ["{ scene: [] }", 'Unrecognized key: "scene"'],
    ['{ scenes: [{ when: { matches: "(" }, do: [] }] }', "scenes.0.when.matches: Invalid regular expression"],
    ["scenes: [", "at line 1"],
  ])("of %s is rejected", (text, message) => {
    expect(() => parseScript(text, "s")).toThrow(message);
  });

  it("that cannot be read is named", async () => {
    const path = join(tempDir(), "none.yaml");
    await expect(readScript(path)).rejects.toThrow(path);
  });

  it("from the plugin's page can be played", () => {
    const [, text = ""] = /```yaml\n(# A whole script[\s\S]*?)```/.exec(readFileSync(page, "utf8")) ?? [];
    const script = parseScript(text, page);
    const kinds = new Set(JSON.stringify(script).match(/"kind":"([a-z]+)","value"/g));
    // Every kind of step, so that the page is complete.
    expect(kinds.size).toBe(16);
  });
});
