import { describe, expect, it } from "vitest";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import type { Agent } from "../../../ports/agent.ts";
import { describeAgentContract } from "../../../testing/contracts/agent.contract.ts";
import { acp } from "./acp.ts";

const host = createNodeHost({ log: createSilentLog() });

function anAgent(config: object): Agent {
  return acp.create(acp.config.parse(config), host, { home: "", projectPath: "/" });
}

describeAgentContract({
  name: "acp",
  create: () => anAgent({ command: ["cat"] }),
  createMissing: () => anAgent({ command: ["no-such-program"] }),
});

describe("the agent acp", () => {
  it("is the bridge with the configured command", () => {
    const agent = anAgent({ command: ["my-agent", "--acp"], env: { KEY: "v" }, allow: ["git *"], mode: "careful" });
    const { argv, env, input } = agent.launch({ interface: "structured", resume: true });
    expect([argv[0], ...argv.slice(-3, -1)]).toEqual([
      process.execPath,
      expect.stringMatching(/bridge\/main\.js$/),
      "acp",
    ]);
    expect(JSON.parse(argv.at(-1) ?? "")).toMatchObject({
      command: ["my-agent", "--acp"],
      permissions: "ask",
      allow: ["git *"],
      mode: "careful",
    });
    expect(env).toEqual({ KEY: "v", AO_RESUME: "1" });
    expect(input).toBe("inbox");
  });

  it("needs a command", () => {
    expect(acp.config.safeParse({}).success).toBe(false);
  });

  it("has no terminal", async () => {
    expect(await anAgent({ command: ["cat"] }).preflight("terminal")).toMatchObject([{ code: "unsupported" }]);
  });
});
