import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import type { Agent, AgentProblem } from "../../../ports/agent.ts";
import { describeAgentContract } from "../../../testing/contracts/agent.contract.ts";
import { tempDir } from "../../../testing/temp.ts";
import { aider } from "./aider.ts";

const standIn = fileURLToPath(new URL("../../../../test/fixtures/bin/aider.mjs", import.meta.url));
const fixture = { command: [standIn], permissions: "edits" };

function anAgent(
  config: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>> = { OPENAI_API_KEY: "sk-own" },
): Agent {
  const host = createNodeHost({ log: createSilentLog(), env: { PATH: process.env["PATH"], HOME: tempDir(), ...env } });
  return aider.create(aider.config.parse(config), host, { home: "", projectPath: "/" });
}

describeAgentContract({
  name: "aider",
  create: () => anAgent(fixture),
  createMissing: () => anAgent({ ...fixture, command: ["no-such-program"] }),
});

describe("the agent aider", () => {
  it("is the bridge with the driver aider and its settings, without a secret in its arguments", () => {
    const config = { ...fixture, model: "sonnet" };
    const agent = anAgent(config, { OPENAI_API_KEY: "sk-own", GITHUB_TOKEN: "other" });
    const { argv, input, env, defaults } = agent.launch({ interface: "structured", resume: true });
    expect(argv.at(-2)).toBe("aider");
    expect(JSON.parse(argv.at(-1) ?? "")).toEqual(config);
    expect([input, env, defaults]).toEqual(["inbox", { AO_RESUME: "1" }, { OPENAI_API_KEY: "sk-own" }]);
  });
});

describe("preflight of aider", () => {
  const problem = async (agent: Agent): Promise<AgentProblem | undefined> => (await agent.preflight("structured"))[0];

  it.each([
    ["aider 0.85.9", /Aider 0\.85\.9 is too old; ao needs 0\.86\.0/],
    ["hello", /does not say its version/],
  ])("rejects a program that prints %s", async (version, message) => {
    const path = join(tempDir(), "aider");
    writeFileSync(path, `#!/bin/sh\necho "${version}"\n`);
    chmodSync(path, 0o755);
    const found = await problem(anAgent({ ...fixture, command: [path] }));
    expect(found).toMatchObject({ code: "unsupported", message: expect.stringMatching(message) });
  });

  it("rejects what it cannot enforce: questions, and denied paths", async () => {
    const asks = {
      code: "unsupported",
      message: expect.stringContaining("cannot ask"),
      hint: expect.stringContaining("edits"),
    };
    expect(await problem(anAgent({ command: [standIn] }))).toMatchObject(asks);
    expect(await problem(anAgent({ ...fixture, deny: ["git push *"] }))).toBeUndefined();
    expect(await problem(anAgent({ ...fixture, deny: ["./secrets/**"] }))).toMatchObject({
      message: expect.stringContaining("./secrets/**"),
    });
    expect(await problem(anAgent({ ...fixture, permissions: "all" }))).toBeUndefined();
  });

  it("finds a key in the environment or a file of the user, and a model that needs none", async () => {
    const HOME = tempDir();
    const none = { message: "Aider has no key for a model on this machine.", hint: expect.stringContaining("API_KEY") };
    expect(await problem(anAgent(fixture, { HOME }))).toMatchObject(none);
    expect(await problem(anAgent({ ...fixture, model: "ollama_chat/qwen3" }, { HOME }))).toBeUndefined();
    writeFileSync(join(HOME, ".aider.conf.yml"), "never read");
    expect(await problem(anAgent(fixture, { HOME }))).toBeUndefined();
  });

  it("has no terminal yet", async () => {
    expect(await anAgent(fixture).preflight("terminal")).toMatchObject([{ code: "unsupported" }]);
  });
});
