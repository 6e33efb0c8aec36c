import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createNodeHost } from "../../platform/host.ts";
import { createSilentLog } from "../../platform/log.ts";
import type { Agent, AgentProblem } from "../../ports/agent.ts";
import type { Host } from "../../ports/host.ts";
import { describeAgentContract } from "../../testing/contracts/agent.contract.ts";
import { tempDir } from "../../testing/temp.ts";
import { defineAcpAgent } from "./agent.ts";
import { type AcpProfile, PROFILES } from "./profiles.ts";

const real = createNodeHost({ log: createSilentLog() });

/** A machine with a program of that version, with or without a login. */
function aMachine(
  profile: AcpProfile,
  version: string,
  hasLogin = true,
): { readonly host: Host; readonly home: string } {
  const home = tempDir();
  mkdirSync(join(home, "bin"));
  const path = join(home, "bin", profile.program);
  writeFileSync(path, `#!/bin/sh\necho "version ${version}"\n`);
  chmodSync(path, 0o755);
  const login = hasLogin ? (profile.signs?.variables ?? []).slice(0, 1) : [];
  const env = {
    HOME: home,
    PATH: `${home}/bin:/usr/bin:/bin`,
    ...Object.fromEntries(login.map((name) => [name, "x"])),
  };
  return { host: { ...real, env }, home };
}

function anAgent(profile: AcpProfile, host: Host, config: object = {}): Agent {
  const plugin = defineAcpAgent(profile);
  return plugin.create(plugin.config.parse(config), host, { home: "", projectPath: "/" });
}

const profiles: readonly AcpProfile[] = Object.values(PROFILES);

for (const profile of profiles) {
  describeAgentContract({
    name: profile.name,
    create: () => anAgent(profile, aMachine(profile, "99.0.0").host),
    createMissing: () => anAgent(profile, real, { command: ["no-such-program"] }),
  });
}

describe.each(profiles)("before a launch of $name", (profile) => {
  const check = (version: string, hasLogin: boolean): Promise<readonly AgentProblem[]> =>
    anAgent(profile, aMachine(profile, version, hasLogin).host).preflight();

  it.skipIf(profile.minVersion === null)("an outdated version is reported with the fix", async () => {
    const [problem] = await check("0.0.1", true);
    expect(problem).toMatchObject({ code: "unsupported", message: expect.stringContaining("too old") });
    expect(problem?.hint).toBe(profile.install);
  });

  it.skipIf(profile.signs === null)("a missing login is reported with the fix", async () => {
    const [problem] = await check("99.0.0", false);
    expect(problem).toMatchObject({ code: "unsupported", message: expect.stringContaining("no login") });
    expect(problem?.hint).toBe(profile.login);
  });

  it.skipIf(profile.signs === null)("a login file is found", async () => {
    const { host, home } = aMachine(profile, "99.0.0", false);
    const path = join(home, profile.signs?.files[0] ?? "");
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, "");
    expect(await anAgent(profile, host).preflight()).toEqual([]);
  });
});

describe("a launch", () => {
  it("passes the model as an argument or through the protocol", () => {
    const settingsOf = (profile: AcpProfile): { command: string[]; model?: string } => {
      const { argv } = anAgent(profile, real, { model: "m" }).launch({ interface: "structured", resume: false });
      return JSON.parse(argv.at(-1) ?? "") as { command: string[]; model?: string };
    };
    expect(settingsOf(PROFILES.gemini)).toMatchObject({ command: ["gemini", "--acp", "--model", "m"] });
    expect(settingsOf(PROFILES.gemini)).not.toHaveProperty("model");
    expect(settingsOf(PROFILES.kimicode)).toMatchObject({ command: ["kimi", "acp"], model: "m" });
  });

  it("passes each agent its own secrets from the daemon, with lower precedence than the session's environment", () => {
    const host = { ...real, env: { GEMINI_API_KEY: "g", OPENAI_API_KEY: "o" } };
    const { env, defaults } = anAgent(PROFILES.gemini, host).launch({ interface: "structured", resume: false });
    expect(env).toEqual({});
    expect(defaults).toEqual({ GEMINI_API_KEY: "g" });
  });

  it.each([
    ["copilot", { COPILOT_ALLOW_ALL: "false" }],
    ["goose", { GOOSE_MODE: "approve" }],
  ] as const)("keeps %s from acting without asking, whatever the user's variables are", (name, forced) => {
    const { env } = anAgent(PROFILES[name], real).launch({ interface: "structured", resume: false });
    expect(env).toEqual(forced);
  });

  it.each(profiles)("requires a mode of $name in which it asks", (profile) => {
    const { argv } = anAgent(profile, real).launch({ interface: "structured", resume: false });
    expect(JSON.parse(argv.at(-1) ?? "")).toMatchObject({ mode: profile.mode, isModeRequired: true });
    expect(["default", "agent", "approve"]).toContain(profile.mode);
  });
});
