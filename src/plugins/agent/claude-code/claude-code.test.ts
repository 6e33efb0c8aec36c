import { chmodSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import type { Agent, AgentProblem } from "../../../ports/agent.ts";
import { describeAgentContract } from "../../../testing/contracts/agent.contract.ts";
import { tempDir } from "../../../testing/temp.ts";
import { claudeCode } from "./claude-code.ts";

const player = fileURLToPath(new URL("../../../../test/fixtures/bin/claude-replay.mjs", import.meta.url));
const PATH = process.env["PATH"];

function anAgent(
  config: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>> = { ANTHROPIC_API_KEY: "sk-test" },
): Agent {
  const host = createNodeHost({ log: createSilentLog(), env: { PATH, ...env } });
  return claudeCode.create(claudeCode.config.parse(config), host, { home: "", projectPath: "/" });
}

const fixture = { command: [player, "recording"] };

describeAgentContract({
  name: "claude-code",
  create: () => anAgent(fixture),
  createMissing: () => anAgent({ command: ["no-such-program"] }),
});

describe("the agent claude-code", () => {
  it("is the bridge with the driver claude and its settings", () => {
    const config = {
      ...fixture,
      model: "opus",
      permissions: "edits",
      allow: ["npm test"],
      ask: ["git rebase *"],
      deny: ["git push *"],
    };
    const { argv, input, env } = anAgent(config).launch({ interface: "structured", resume: true });
    expect(argv.at(-3)).toMatch(/\/dist\/bridge\/main\.js$/);
    expect(argv.at(-2)).toBe("claude");
    expect(JSON.parse(argv.at(-1) ?? "")).toEqual(config);
    expect([input, env]).toEqual(["inbox", { AO_RESUME: "1" }]);
  });

  it("gets its own login from the daemon, with lower precedence than the session's, and never as an argument", () => {
    const agent = anAgent(fixture, { ANTHROPIC_API_KEY: "sk-own", GITHUB_TOKEN: "other" });
    const launch = agent.launch({ interface: "structured", resume: false });
    expect(launch.defaults).toEqual({ ANTHROPIC_API_KEY: "sk-own" });
    expect(JSON.stringify(launch.argv)).not.toContain("sk-own");
  });
});

/** A program that prints this version. */
function aProgram(version: string): string {
  const path = join(tempDir(), "claude");
  writeFileSync(path, `#!/bin/sh\necho "${version}"\n`);
  chmodSync(path, 0o755);
  return path;
}

describe("preflight of claude-code", () => {
  const problem = async (agent: Agent, environment?: Record<string, string>): Promise<AgentProblem | undefined> =>
    (await agent.preflight("structured", environment))[0];

  it.each([
    ["2.1.196 (Claude Code)", /2\.1\.196 is too old; ao needs 2\.1\.197/],
    ["hello", /does not say its version/],
  ])("rejects a program that prints %s", async (version, message) => {
    expect(await problem(anAgent({ command: [aProgram(version)] }))).toMatchObject({
      code: "unsupported",
      message: expect.stringMatching(message),
      hint: expect.stringContaining("claude update"),
    });
  });

  it.each(["2.1.197", "2.2.0", "3.0.0 (Claude Code)"])("accepts %s", async (version) => {
    expect(await problem(anAgent({ command: [aProgram(version)] }))).toBeUndefined();
  });

  it("finds the login of the environment, of the project and of the user, and reports a missing one", async () => {
    const home = tempDir();
    const agent = anAgent(fixture, { HOME: home });
    expect(await problem(agent)).toMatchObject({ message: expect.stringContaining("no login") });
    expect(await problem(agent, { HOME: home, ANTHROPIC_AUTH_TOKEN: "x" })).toBeUndefined();
    mkdirSync(join(home, ".claude"));
    writeFileSync(join(home, ".claude/.credentials.json"), "never read");
    expect(await problem(agent)).toBeUndefined();
    expect(await problem(agent, { HOME: "/", CLAUDE_CONFIG_DIR: join(home, ".claude") })).toBeUndefined();
  });

  it("rejects another vendor's model, unless requests go to another service", async () => {
    const agent = anAgent({ ...fixture, model: "gpt-5" });
    expect(await problem(agent)).toMatchObject({ code: "config-invalid", hint: expect.stringContaining("opus") });
    expect(await problem(agent, { ANTHROPIC_BASE_URL: "http://gateway" })).toBeUndefined();
  });

  it("reports that the program refuses to skip its questions as root", async () => {
    const found = await problem(anAgent({ ...fixture, permissions: "all" }));
    if (process.getuid?.() === 0) expect(found).toMatchObject({ message: expect.stringContaining("as root") });
    else expect(found).toBeUndefined();
  });

  it("reports in a terminal what the program would ask a person first, and that a person has to answer", async () => {
    const home = tempDir();
    const repository = realpathSync(tempDir());
    const host = createNodeHost({ log: createSilentLog(), env: { PATH, HOME: home } });
    const agent = claudeCode.create(claudeCode.config.parse(fixture), host, { home: "", projectPath: repository });
    const know = (fields: object): void => writeFileSync(join(home, ".claude.json"), JSON.stringify(fields));
    const ask = async (environment: Record<string, string>): Promise<AgentProblem | undefined> =>
      (await agent.preflight("terminal", { PATH: PATH ?? "", HOME: home, ...environment }))[0];
    const key = `sk-ant-${"x".repeat(40)}`;
    expect(await ask({ ANTHROPIC_API_KEY: key })).toMatchObject({ message: expect.stringContaining("never run") });
    know({ hasCompletedOnboarding: true });
    const trust = await ask({ ANTHROPIC_API_KEY: key });
    expect(trust?.message).toContain(`does not trust ${repository}`);
    expect(trust?.hint).toContain(`Run \`claude\` once in ${repository}`);
    const trusted = { hasTrustDialogAccepted: true };
    know({ hasCompletedOnboarding: true, projects: { [dirname(repository)]: trusted } });
    expect((await ask({ ANTHROPIC_API_KEY: key }))?.message).toContain("does not trust");
    const projects = { [repository]: trusted };
    know({ hasCompletedOnboarding: true, projects });
    expect((await ask({ ANTHROPIC_API_KEY: key }))?.message).toContain("this ANTHROPIC_API_KEY");
    expect(await ask({ ANTHROPIC_AUTH_TOKEN: "t" })).toBeUndefined();
    know({ hasCompletedOnboarding: true, projects, customApiKeyResponses: { approved: [key.slice(-20)] } });
    expect(await ask({ ANTHROPIC_API_KEY: key })).toBeUndefined();
    expect(await agent.preflight("structured", { PATH: PATH ?? "", HOME: home, ANTHROPIC_API_KEY: key })).toEqual([]);
  });
});
