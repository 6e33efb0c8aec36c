import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { PATIENCE_MS } from "../../src/testing/patience.ts";
import { until } from "../support/until.ts";
import { makePlace, type Place, processesOf } from "./support/bridge.ts";
import { acceptClaude, claude, claudeEnvironment } from "./support/claude.ts";
import { describeDriverContract, TASK } from "./support/driver-contract.ts";
import { type ModelServer, startModelServer } from "./support/model-server.ts";
import { isWhole } from "./support/programs.ts";
import { hasTmux, pressUntilHeard, startTerminalBridge, type TerminalBridge } from "./support/terminal-bridge.ts";

interface Timing {
  /** Quiet time after a person's key. */
  readonly quietMs?: number;
}

// The program refuses to skip its questions as root.
function startAllowed(
  place: Place,
  driver: string,
  settings: unknown,
  env: Readonly<Record<string, string>> = {},
  timing: Timing = {},
): TerminalBridge {
  const wanted = settings as Readonly<Record<string, unknown>>;
  const policy = wanted["permissions"] === "all" ? { permissions: "edits", allow: ["Bash"] } : {};
  return startTerminalBridge(place, driver, { ...wanted, ...policy }, env, timing);
}

interface Begun {
  readonly place: Place;
  readonly model: ModelServer;
  readonly bridge: TerminalBridge;
  again(): TerminalBridge;
}

async function begin(
  settings: Readonly<Record<string, unknown>> = { permissions: "all" },
  timing: Timing = {},
): Promise<Begun> {
  const place = makePlace();
  const model = await startModelServer();
  onTestFinished(() => model.close());
  acceptClaude(place.home, place.repo);
  const start = (env = {}): TerminalBridge =>
    startAllowed(place, "claude", { command: [claude], ...settings }, { ...claudeEnvironment(model), ...env }, timing);
  return { place, model, bridge: start(), again: () => start({ AO_RESUME: "1" }) };
}

if (claude !== null && hasTmux) {
  describeDriverContract({
    name: "Claude Code in a terminal",
    driver: "claude",
    settings: () => ({ command: [claude] }),
    environment: (place, model) => {
      acceptClaude(place.home, place.repo);
      return claudeEnvironment(model);
    },
    startBridge: startAllowed,
    process: claude,
    usage: "calls",
    errors: [401, 429, 500],
    isTyped: true,
    limitMs: 2 * PATIENCE_MS,
    ...(isWhole ? {} : { only: [TASK] }),
  });
  const whole = it.runIf(isWhole);
  describe("Claude Code in a terminal, beside a person", () => {
    whole("says what a person asks for there, and gives a message when that is over", async () => {
      const { model, bridge } = await begin();
      bridge.send({ id: "m1", kind: "task", text: "[[say: ready]]" });
      await bridge.hear({ type: "done", summary: "ready" });
      bridge.type("mine [[hold: h]] [[say: for you]]");
      bridge.press("Enter");
      await until("the model to be asked", () => model.isHolding("h"));
      await bridge.hear({ type: "status", state: "working" });
      bridge.send({ id: "m2", kind: "message", text: "[[say: for ao]]" });
      model.release("h");
      await bridge.hear({ type: "done", summary: "for you" });
      await bridge.hear({ type: "done", summary: "for ao" });
      expect(model.countInLast("mine [[hold")).toBe(1);
      await bridge.end();
    });

    whole("waits for a half-typed line, says so, and types nothing into it", async () => {
      const { model, bridge } = await begin({ permissions: "all" }, { quietMs: 1000 });
      bridge.send({ id: "m1", kind: "task", text: "[[say: ready]]" });
      await bridge.hear({ type: "done", summary: "ready" });
      const person = await bridge.attach();
      person.press("fix th");
      await until("the line", () => bridge.screen().includes("fix th"));
      bridge.send({ id: "m2", kind: "message", text: "[[say: for ao]]" });
      await bridge.hear({ type: "held", id: "m2", reason: "The terminal may hold a half-typed line." });
      expect(model.calls).toHaveLength(1);
      person.press("C-u");
      await bridge.hear({ type: "done", summary: "for ao" });
      expect(model.countInLast("fix th")).toBe(0);
      await bridge.end();
    });

    it("withdraws a question answered at the keyboard, and closes its dialog when ao answers", async () => {
      const { place, bridge } = await begin({ permissions: "ask" });
      bridge.send({ id: "m1", kind: "task", text: "[[run: touch a.txt]] [[run: touch b.txt]] [[say: both]]" });
      const first = await bridge.hear({ type: "ask" });
      expect(first).toMatchObject({ kind: "permission", detail: { format: "command", text: "touch a.txt" } });
      await until("the dialog", () => bridge.screen().includes("Do you want to proceed?"));
      await pressUntilHeard(bridge, "1", { type: "unask", id: String(first["id"]) });
      const second = await bridge.hear({ type: "ask" }, 2);
      bridge.sendLine(JSON.stringify({ type: "answer", id: second["id"], choice: "allow" }));
      await bridge.hear({ type: "done", summary: "both" });
      expect(bridge.screen()).not.toContain("Do you want to proceed?");
      expect(["a.txt", "b.txt"].every((name) => existsSync(join(place.workspace, name)))).toBe(true);
      await bridge.end();
      expect(processesOf(place)).toEqual([]);
    });

    whole("resumes after its terminal was closed in the middle of a turn", async () => {
      const { model, bridge, again } = await begin();
      bridge.send({ id: "m1", kind: "task", text: "Do it. [[run: true]] [[hold: h]] [[say: done here]]" });
      await bridge.hear({ type: "received", id: "m1" });
      await until("the model to be asked", () => model.isHolding("h"));
      bridge.closeTerminal();
      expect((await bridge.over).code).not.toBe(0);
      model.release("h");
      const second = again();
      second.send({ id: "m1", kind: "resume", text: "Do it." });
      await second.hear({ type: "done" });
      expect(model.countInLast("Do it.")).toBe(1);
      await second.end();
    });

    whole("is over when a person quits it, and never types what could be a command", async () => {
      const { model, bridge } = await begin();
      bridge.send({ id: "m1", kind: "task", text: "/exit [[say: still here]]" });
      await bridge.hear({ type: "done", summary: "still here" });
      expect(model.countInLast("Message: /exit")).toBe(1);
      bridge.type("/exit");
      await until("the command", () => bridge.screen().includes("❯ /exit"));
      bridge.press("Enter");
      expect((await bridge.over).code).toBe(0);
    });
  });
} else {
  describe("Claude Code in a terminal", () => {
    it.skip("is skipped: the program or tmux is not installed", () => undefined);
  });
}
