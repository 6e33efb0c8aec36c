import { describe, expect, it } from "vitest";
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
  return (await sessionEnvironment(session, { ...source, hasIdentity: async () => true }))["PATH"];
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
      return sessionEnvironment(session, { ...source, config: undefined, hasIdentity: async () => true });
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
