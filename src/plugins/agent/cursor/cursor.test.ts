import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import type { Agent, AgentProblem } from "../../../ports/agent.ts";
import { describeAgentContract } from "../../../testing/contracts/agent.contract.ts";
import { tempDir } from "../../../testing/temp.ts";
import { cursor } from "./cursor.ts";
import { toTokens } from "./tokens.ts";

const standIn = fileURLToPath(new URL("../../../../test/fixtures/bin/cursor-agent.mjs", import.meta.url));
const fixture = { command: [standIn], permissions: "all" };

function anAgent(
  config: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>> = { CURSOR_API_KEY: "key-own" },
): Agent {
  const host = createNodeHost({ log: createSilentLog(), env: { PATH: process.env["PATH"], HOME: tempDir(), ...env } });
  return cursor.create(cursor.config.parse(config), host, { home: "", projectPath: "/" });
}

describeAgentContract({
  name: "cursor",
  create: () => anAgent(fixture),
  createMissing: () => anAgent({ ...fixture, command: ["no-such-program"] }),
});

describe("the agent cursor", () => {
  it("is the bridge with the driver cursor and its settings, without a secret in its arguments", () => {
    const agent = anAgent(
      { ...fixture, model: "gpt-5", deny: ["rm"] },
      { CURSOR_API_KEY: "key-own", GITHUB_TOKEN: "x" },
    );
    const { argv, input, env, defaults } = agent.launch({ interface: "structured", resume: true });
    expect(argv.at(-2)).toBe("cursor");
    expect(JSON.parse(argv.at(-1) ?? "")).toEqual({ ...fixture, model: "gpt-5", deny: ["Shell(rm)"] });
    expect([input, env, defaults]).toEqual(["inbox", { AO_RESUME: "1" }, { CURSOR_API_KEY: "key-own" }]);
  });

  it.each([
    ["rm", ["Shell(rm)"]],
    ["rm *", ["Shell(rm)"]],
    ["./secrets/**", ["Read(secrets/**)", "Write(secrets/**)"]],
    ["/etc/passwd", ["Read(/etc/passwd)", "Write(/etc/passwd)"]],
    ["Write(**/*.key)", ["Write(**/*.key)"]],
    ["git push *", null],
    ["~/x", null],
    ["../x", null],
  ])("has for %s the rules %o", (entry, tokens) => {
    expect(toTokens(entry)).toEqual(tokens);
  });
});

describe("preflight of cursor", () => {
  const problem = async (agent: Agent): Promise<AgentProblem | undefined> => (await agent.preflight("structured"))[0];

  it.each([
    ["2025.12.31-abc", /Cursor 2025\.12\.31 is too old; ao needs 2026\.01\.28/],
    ["hello", /does not say its version/],
  ])("rejects a program that prints %s", async (version, message) => {
    const path = join(tempDir(), "cursor-agent");
    writeFileSync(path, `#!/bin/sh\necho "${version}"\n`);
    chmodSync(path, 0o755);
    const found = await problem(anAgent({ ...fixture, command: [path] }));
    expect(found).toMatchObject({ code: "unsupported", message: expect.stringMatching(message) });
  });

  it.each([
    [{ permissions: "ask" }, /permissions: ask/],
    [{ permissions: "edits" }, /permissions: edits/],
    [{ deny: ["git push *"] }, /`git push \*`/],
  ])("rejects %o, which it cannot enforce", async (policy, message) => {
    const found = await problem(anAgent({ ...fixture, ...policy }));
    expect(found).toMatchObject({ code: "unsupported", message: expect.stringMatching(message) });
  });

  it("asks the program whether there is a login, and reports a missing one", async () => {
    expect(await problem(anAgent(fixture))).toBeUndefined();
    expect(await problem(anAgent(fixture, {}))).toMatchObject({
      message: "Cursor has no login on this machine.",
      hint: expect.stringContaining("cursor-agent login"),
    });
  });

  it("has no terminal yet", async () => {
    expect(await anAgent(fixture).preflight("terminal")).toMatchObject([{ code: "unsupported" }]);
  });
});
