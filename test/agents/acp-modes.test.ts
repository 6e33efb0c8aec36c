import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { PATIENCE_MS } from "../../src/testing/patience.ts";
import { makePlace, type Place, type RunningBridge, startBridge } from "./support/bridge.ts";
import { startModelServer } from "./support/model-server.ts";

const program = fileURLToPath(new URL("../fixtures/agents/acp-agent.mjs", import.meta.url));

async function startAgent(
  flags: readonly string[],
  settings: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly place: Place; readonly bridge: RunningBridge }> {
  const place = makePlace();
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const own = { name: "Made", command: [process.execPath, program, ...flags], startLimitMs: PATIENCE_MS };
  const bridge = startBridge(place, "acp", { ...own, ...settings }, { MODEL_URL: model.url });
  bridge.send({ id: "m1", kind: "task", text: "[[run: touch x.txt]] [[say: over]]" });
  return { place, bridge };
}

const required = { mode: "ask", isModeRequired: true };

describe("an agent that starts in a mode in which it asks nothing", () => {
  it.each([
    ["--modes", required],
    ["--mode-option", required],
    // Nobody configured its mode, as for any agent by its command line.
    ["--modes", {}],
    ["--mode-option", { permissions: "edits" }],
  ])("asks before it runs a command (%s, %j)", async (flag, settings) => {
    const { place, bridge } = await startAgent([flag], settings);
    expect(await bridge.hear({ type: "ask" })).toMatchObject({ kind: "permission", detail: { text: "touch x.txt" } });
    expect(existsSync(join(place.workspace, "x.txt"))).toBe(false);
    await bridge.end();
  });

  it.each([
    [
      "cannot be put into the other",
      ["--modes", "--stuck"],
      /^Made refused the mode ask: the administrator has locked/,
    ],
    [
      "says that it stays there",
      ["--mode-option", "--stuck"],
      /^Made was asked to set mode to ask and left it at "auto"/,
    ],
    ["has no such mode", ["--modes"], /^Made has no mode read: it offers ask, auto\. ao does not start Made otherwise/],
    ["does not know modes", [], /^Made refused the mode ask: no session\/set_mode/],
  ])("does not start if it %s", async (what, flags, sentence) => {
    const mode = what === "has no such mode" ? "read" : "ask";
    const { place, bridge } = await startAgent(flags, { ...required, mode });
    const { code, stderr } = await bridge.over;
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(sentence.source, "m"));
    expect(stderr).toContain("because it might run commands without asking.");
    expect(existsSync(join(place.workspace, "x.txt"))).toBe(false);
  });

  it("stays there, with a note, if none of its modes is known to ask", async () => {
    const { bridge } = await startAgent(["--unknown-modes"]);
    await bridge.hear({ type: "done", summary: "over" });
    expect(bridge.told()).toContainEqual(expect.stringMatching(/note: Made is in its mode "auto".*calm, auto/));
    await bridge.end();
  });

  it("stays there if people chose it", async () => {
    const { bridge } = await startAgent(["--modes"], { mode: "auto" });
    await bridge.hear({ type: "done", summary: "over" });
    await bridge.end();
  });
});
