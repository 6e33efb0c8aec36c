import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import type { Agent } from "../../../ports/agent.ts";
import { describeAgentContract } from "../../../testing/contracts/agent.contract.ts";
import { tempDir } from "../../../testing/temp.ts";
import { opencode } from "./opencode.ts";

/** A program that prints a version. */
function aProgram(version: string): string {
  const path = join(tempDir(), "opencode");
  writeFileSync(path, `#!/bin/sh\necho "${version}"\n`);
  chmodSync(path, 0o755);
  return path;
}

function anAgent(
  config: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>> = {},
): Agent {
  const host = createNodeHost({ log: createSilentLog(), env: { PATH: process.env["PATH"], HOME: tempDir(), ...env } });
  return opencode.create(opencode.config.parse(config), host, { home: "", projectPath: "/" });
}

describeAgentContract({
  name: "opencode",
  create: () => anAgent({ command: [aProgram("1.18.33")] }),
  createMissing: () => anAgent({ command: ["no-such-program"] }),
});

describe("the agent opencode", () => {
  it("is the bridge with the driver opencode and its settings, without a secret in its arguments", () => {
    const config = {
      command: ["opencode"],
      model: "local/m",
      permissions: "edits",
      allow: ["npm test"],
      ask: ["mv *"],
      deny: ["rm *"],
    };
    const agent = anAgent(config, { OPENROUTER_API_KEY: "sk-own", GITHUB_TOKEN: "other" });
    const { argv, input, env, defaults } = agent.launch({ interface: "structured", resume: true });
    expect(argv.at(-3)).toMatch(/\/dist\/bridge\/main\.js$/);
    expect(argv.at(-2)).toBe("opencode");
    expect(JSON.parse(argv.at(-1) ?? "")).toEqual(config);
    expect([input, env, defaults]).toEqual(["inbox", { AO_RESUME: "1" }, { OPENROUTER_API_KEY: "sk-own" }]);
  });

  it("rejects an outdated version", async () => {
    const [problem] = await anAgent({ command: [aProgram("1.18.32")] }).preflight("structured");
    expect(problem).toMatchObject({ code: "unsupported", message: expect.stringContaining("1.18.32 is too old") });
  });
});
