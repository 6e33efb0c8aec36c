import { describe, expect, it } from "vitest";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import type { Agent } from "../../../ports/agent.ts";
import { describeAgentContract } from "../../../testing/contracts/agent.contract.ts";
import { command } from "./command.ts";

const host = createNodeHost({ log: createSilentLog() });

function anAgent(config: { command: string[]; protocol?: "lines" | "oneshot" }): Agent {
  return command.create(command.config.parse(config), host, { home: "", projectPath: "/" });
}

for (const protocol of ["lines", "oneshot"] as const) {
  describeAgentContract({
    name: `command (${protocol})`,
    create: () => anAgent({ command: ["cat", "-u"], protocol }),
    createMissing: () => anAgent({ command: ["no-such-program", "x"], protocol }),
  });
}

describe("the lines protocol", () => {
  const agent = anAgent({ command: ["cat"] });

  it.each([
    ['{"type":"status","state":"idle"}', { kind: "status", state: "idle", note: null }],
    ['{"type":"status","state":"waiting","note":"n"}', { kind: "status", state: "waiting", note: "n" }],
    [
      '{"type":"ask","id":"q","question":"Sure?","choices":["y","n"]}',
      { kind: "asked", id: "q", question: "Sure?", choices: ["y", "n"] },
    ],
    ['{"type":"ask","id":"q","question":"Sure?"}', { kind: "asked", id: "q", question: "Sure?", choices: [] }],
    [
      '{"type":"usage","inputTokens":3,"outputTokens":4,"costUsd":0.5}',
      { kind: "usage", inputTokens: 3, outputTokens: 4, costUsd: 0.5 },
    ],
    ['{"type":"received","id":"m1","more":1}', { kind: "received", id: "m1" }],
    ['{"type":"done"}', { kind: "done", summary: "" }],
  ])("reads %s", (line, signal) => {
    expect(agent.decode(line)).toEqual(signal);
  });

  it.each([
    '{"type":"usage","inputTokens":-1}',
    '{"type":"usage","costUsd":"much"}',
    '{"type":"status","state":"flying"}',
    ' {"type":"done"}',
  ])("takes %s for output", (line) => {
    expect(agent.decode(line)).toBeNull();
  });

  it("names the question an answer belongs to", () => {
    const line = agent.encode({ id: "q1", kind: "answer", text: "yes", attempt: 1 });
    expect(JSON.parse(line)).toEqual({ type: "answer", id: "q1", choice: "yes" });
  });

  it("says the attempt only when a message comes again", () => {
    const message = { id: "m", kind: "message", text: "t" } as const;
    expect(JSON.parse(agent.encode({ ...message, attempt: 1 }))).toEqual({ type: "message", id: "m", text: "t" });
    expect(JSON.parse(agent.encode({ ...message, attempt: 2 }))).toEqual({
      type: "message",
      id: "m",
      text: "t",
      attempt: 2,
    });
  });

  it("tells a program that it goes on after a death", () => {
    expect(agent.launch({ interface: "structured", resume: true }).env).toEqual({ AO_RESUME: "1" });
  });
});
