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

  it("is the one in use", () => {
    expect(agent.encode({ id: "m", kind: "task", text: "t", attempt: 1 })).toBe(
      '{"type":"task","id":"m","text":"t"}\n',
    );
    expect(agent.decode('{"type":"received","id":"m"}')).toEqual({ kind: "received", id: "m" });
  });

  it("tells a program that it continues after a death", () => {
    expect(agent.launch({ interface: "structured", resume: true }).env).toEqual({ AO_RESUME: "1" });
  });
});
