import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import type { Agent, AgentProblem } from "../../../ports/agent.ts";
import { describeAgentContract } from "../../../testing/contracts/agent.contract.ts";
import { tempDir } from "../../../testing/temp.ts";
import { codex } from "./codex.ts";

const player = fileURLToPath(new URL("../../../../test/fixtures/bin/codex-replay.mjs", import.meta.url));
const fixture = { command: [player, "recording"] };

function anAgent(
  config: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>> = {},
): Agent {
  const host = createNodeHost({ log: createSilentLog(), env: { PATH: process.env["PATH"], HOME: aHome(), ...env } });
  return codex.create(codex.config.parse(config), host, { home: "", projectPath: "/" });
}

/** A home with a login. */
function aHome(): string {
  const home = tempDir();
  mkdirSync(join(home, ".codex"));
  writeFileSync(join(home, ".codex/auth.json"), "never read");
  return home;
}

describeAgentContract({
  name: "codex",
  create: () => anAgent(fixture),
  createMissing: () => anAgent({ command: ["no-such-program"] }),
});

describe("the agent codex", () => {
  it("uses the line protocol in a terminal too", () => {
    const agent = anAgent(fixture);
    const [terminal, pipes] = (["terminal", "structured"] as const).map((one) =>
      agent.launch({ interface: one, resume: false }),
    );
    expect(terminal).toEqual(pipes);
  });

  it("is the bridge with the driver codex and its settings, without a secret in its arguments", () => {
    const config = {
      ...fixture,
      model: "gpt-5",
      permissions: "edits",
      allow: ["npm test"],
      ask: ["git rebase *"],
      deny: ["git push *"],
    };
    const agent = anAgent(config, { OPENAI_API_KEY: "sk-own", GITHUB_TOKEN: "other" });
    const { argv, input, env, defaults } = agent.launch({ interface: "structured", resume: true });
    expect(argv.at(-3)).toMatch(/\/dist\/bridge\/main\.js$/);
    expect(argv.at(-2)).toBe("codex");
    expect(JSON.parse(argv.at(-1) ?? "")).toEqual(config);
    expect([input, env, defaults]).toEqual(["inbox", { AO_RESUME: "1" }, { OPENAI_API_KEY: "sk-own" }]);
  });
});

describe("preflight of codex", () => {
  const problem = async (agent: Agent): Promise<AgentProblem | undefined> => (await agent.preflight("structured"))[0];

  it.each([
    ["codex-cli 0.165.9", /Codex 0\.165\.9 is too old; ao needs 0\.166\.0/],
    ["hello", /does not say its version/],
  ])("rejects a program that prints %s", async (version, message) => {
    const path = join(tempDir(), "codex");
    writeFileSync(path, `#!/bin/sh\necho "${version}"\n`);
    chmodSync(path, 0o755);
    const found = await problem(anAgent({ command: [path] }));
    expect(found).toMatchObject({ code: "unsupported", message: expect.stringMatching(message) });
  });

  it("finds the user's login, here or elsewhere, or the user's own provider", async () => {
    expect(await problem(anAgent(fixture))).toBeUndefined();
    const home = tempDir();
    const none = { message: "Codex has no login on this machine.", hint: expect.stringContaining("codex login") };
    expect(await problem(anAgent(fixture, { HOME: home }))).toMatchObject(none);
    expect(await problem(anAgent(fixture, { HOME: home, OPENAI_API_KEY: "sk" }))).toMatchObject(none);
    expect(await problem(anAgent(fixture, { HOME: home, CODEX_HOME: join(aHome(), ".codex") }))).toBeUndefined();
    mkdirSync(join(home, ".codex"));
    writeFileSync(join(home, ".codex/config.toml"), 'model_provider = "local"\n');
    expect(await problem(anAgent(fixture, { HOME: home }))).toBeUndefined();
  });

  it("checks the same for a terminal", async () => {
    expect(await anAgent(fixture).preflight("terminal")).toEqual([]);
    const none = anAgent(fixture, { HOME: tempDir() });
    expect(await none.preflight("terminal")).toEqual(await none.preflight("structured"));
  });
});
