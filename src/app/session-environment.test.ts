import { describe, expect, it } from "vitest";
import { normalize } from "../config/normalize.ts";
import type { WrittenProject } from "../config/schema.ts";
import { createNodeHost } from "../platform/host.ts";
import { createSilentLog } from "../platform/log.ts";
import { aSession } from "../testing/builders.ts";
import { shellOf, takeKeys } from "./caller-environment.ts";
import { KEY_VARIABLES } from "./find-agents.ts";
import { projectEnvironment, sessionEnvironment } from "./session-environment.ts";

const host = createNodeHost({ log: createSilentLog(), env: { PATH: "/bin", HOME: "/h", AWS_SECRET_ACCESS_KEY: "s" } });

async function pathOf(shell: Readonly<Record<string, string>> | undefined): Promise<string | undefined> {
  const session = aSession(shell === undefined ? {} : { shell });
  const source = { host, home: "/ao", shell: session.shell, config: undefined, secret: "s" };
  return (await sessionEnvironment(session, { ...source, identity: async () => ({}) }))["PATH"];
}

describe("the environment of a session", () => {
  it("has the PATH of the shell that created it, whoever called later", async () => {
    expect(await pathOf({ PATH: "/opt/a:/bin" })).toBe("/opt/a:/bin");
    expect(await pathOf({ PATH: "/opt/b:/bin" })).toBe("/opt/b:/bin");
  });

  it("is the daemon's own for a session from an older log", async () => {
    expect(await pathOf(undefined)).toBe("/bin");
  });

  it("has what the agent's plugin declares, and none of it for another agent", async () => {
    const env = { PATH: "/bin", ANTHROPIC_BASE_URL: "http://m", ANTHROPIC_ADMIN_TOKEN: "t", CODEX_HOME: "/c" };
    const of = async (plugin: string): Promise<Record<string, string>> => {
      const session = aSession({ agent: { plugin, config: {} } });
      const source = { host: createNodeHost({ log: createSilentLog(), env }), home: "/ao", shell: {}, secret: "s" };
      return sessionEnvironment(session, { ...source, config: undefined, identity: async () => ({}) });
    };
    expect(await of("claude-code")).toMatchObject({ ANTHROPIC_BASE_URL: "http://m" });
    expect(Object.keys(await of("claude-code"))).not.toContain("ANTHROPIC_ADMIN_TOKEN");
    expect(Object.keys(await of("claude-code"))).not.toContain("CODEX_HOME");
    expect(await of("codex")).toMatchObject({ CODEX_HOME: "/c" });
    expect(Object.keys(await of("command"))).not.toContain("CODEX_HOME");
  });

  it("has nothing from the daemon that looks like a secret", () => {
    expect(projectEnvironment({ host, shell: {}, config: undefined })).toEqual({ PATH: "/bin", HOME: "/h" });
  });
});

describe("the git identity of an agent", () => {
  const own = { "user.name": "Ann", "user.email": "ann@example.com" };
  const asVariables = {
    GIT_CONFIG_COUNT: "2",
    ...{ GIT_CONFIG_KEY_0: "user.name", GIT_CONFIG_VALUE_0: "Ann" },
    ...{ GIT_CONFIG_KEY_1: "user.email", GIT_CONFIG_VALUE_1: "ann@example.com" },
  };
  const gitPart = async (
    identity: Readonly<Record<string, string>>,
    { project = {}, daemon = {} }: { readonly project?: WrittenProject; readonly daemon?: Record<string, string> } = {},
  ): Promise<Record<string, string>> => {
    const written = { projects: { p: { path: ".", ...project } } };
    const config = normalize(written, { base: "/repo", home: "/h" }).projects["p"];
    const from = { host: { ...host, env: daemon }, home: "/ao", shell: {}, config, secret: "s" };
    const env = await sessionEnvironment(aSession(), { ...from, identity: async () => identity });
    return Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith("GIT_")));
  };

  it("is the user's own, in a form that no agent's shell removes", async () => {
    expect(await gitPart(own)).toEqual(asVariables);
  });

  it("follows the settings that the project passes to git", async () => {
    const env = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "core.abbrev", GIT_CONFIG_VALUE_0: "12" };
    expect(await gitPart(own, { project: { env } })).toEqual({
      ...env,
      GIT_CONFIG_COUNT: "3",
      ...{ GIT_CONFIG_KEY_1: "user.name", GIT_CONFIG_VALUE_1: "Ann" },
      ...{ GIT_CONFIG_KEY_2: "user.email", GIT_CONFIG_VALUE_2: "ann@example.com" },
    });
  });

  it("is the one of the user's variables, if there are any", async () => {
    const daemon = { GIT_AUTHOR_NAME: "Bea", GIT_AUTHOR_EMAIL: "bea@example.com" };
    const given = await gitPart(own, { daemon });
    expect(given).toMatchObject({ ...daemon, GIT_CONFIG_VALUE_0: "Bea", GIT_CONFIG_VALUE_1: "bea@example.com" });
    expect(Object.keys(given)).not.toContain("GIT_COMMITTER_EMAIL");
  });

  it.each<[string, Readonly<Record<string, string>>, WrittenProject]>([
    ["the agent's, if the user has none", {}, {}],
    ["the agent's, if the project says so", own, { gitIdentity: "agent" }],
  ])("is %s", async (_, identity, project) => {
    expect(await gitPart(identity, { project })).toMatchObject({
      GIT_AUTHOR_EMAIL: expect.stringContaining("@ao.invalid"),
      GIT_CONFIG_COUNT: "2",
      GIT_CONFIG_VALUE_1: expect.stringContaining("@ao.invalid"),
    });
  });

  it("is the one that the project names", async () => {
    const project = { gitIdentity: { name: "Bot", email: "bot@example.com" } };
    expect(await gitPart(own, { project })).toMatchObject({ GIT_AUTHOR_NAME: "Bot", GIT_CONFIG_VALUE_0: "Bot" });
  });
});

describe("the shell of a caller", () => {
  const env = { ...Object.fromEntries(KEY_VARIABLES.map((name) => [name, "key"])), PATH: "/bin", EDITOR: "vi" };

  it("is recorded without keys and without irrelevant variables", () => {
    expect(shellOf(env)).toEqual({ PATH: "/bin" });
    expect(shellOf(undefined)).toEqual({});
  });

  it("adds the agents' keys to the daemon's memory, and nothing else", () => {
    const keys = new Map<string, string>();
    takeKeys({ keys }, env);
    expect([...keys.keys()].sort()).toEqual([...KEY_VARIABLES].sort());
  });
});
