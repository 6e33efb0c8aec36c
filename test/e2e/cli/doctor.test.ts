import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isFull } from "../../../src/testing/full.ts";
import { makeFleet } from "../../support/fleet.ts";
import { openShell, plainEnvironment, type Shell } from "./shell.ts";

interface Bench {
  readonly shell: Shell;
  readonly bin: string;
  /** The user's home. */
  readonly home: string;
  /** Puts a program on the project's PATH that prints this as its version. */
  install(program: string, says: string): void;
}

async function aBench(project: Record<string, unknown>, agentConfig: Record<string, unknown> = {}): Promise<Bench> {
  const fleet = await makeFleet({ project: { agentConfig, ...project } });
  const [bin, home] = ["bin", "user"].map((name) => join(fleet.dir, name)) as [string, string];
  for (const folder of [bin, home]) mkdirSync(folder);
  await fleet.start({ PATH: `${bin}:${process.env["PATH"]}`, HOME: home });
  const shell = openShell(fleet.repo, { ...plainEnvironment(home), PATH: `${bin}:/usr/bin:/bin`, AO_HOME: fleet.home });
  await shell.aoWith({}, "add-project", ".");
  return {
    shell,
    bin,
    home,
    install: (program, says) => {
      writeFileSync(join(bin, program), `#!/bin/sh\necho "${says}"\n`);
      chmodSync(join(bin, program), 0o755);
    },
  };
}

/** What `ao doctor` says about the project's agent, and the fix; `ao new` refuses with the same. */
async function sayOfBoth({ shell }: Bench): Promise<string> {
  const { code, out } = await shell.ao("doctor");
  const [, text = "", fix = ""] = /^fail {2}agent of demo: (.*)\n {6}fix: (.*)$/m.exec(out) ?? [];
  expect(code, out).toBe(1);
  expect(await shell.ao("new", "anything")).toMatchObject({ code: 1, err: `error: ${text}\nhint: ${fix}\n` });
  return `${text} ${fix}`;
}

const AGENTS = [
  {
    ...{ plugin: "claude-code", program: "claude", old: "2.0.0 (Claude Code)", fine: "2.1.325 (Claude Code)" },
    missing: /^The agent's program claude was not found\. Install it: .*@anthropic-ai\/claude-code/,
    tooOld: /^Claude Code 2\.0\.0 is too old; .* `claude update`/,
    noLogin: /^Claude Code has no login .*`claude`/,
    login: ".claude/.credentials.json",
  },
  {
    ...{ plugin: "codex", program: "codex", old: "codex-cli 0.1.0", fine: "codex-cli 0.166.0" },
    missing: /^The agent's program codex was not found\. Install it: `npm install -g @openai\/codex`/,
    tooOld: /^Codex 0\.1\.0 is too old; ao needs 0\.166\.0 .*npm install -g/,
    noLogin: /^Codex has no login on this machine\. Run `codex login`/,
    login: ".codex/auth.json",
  },
  {
    ...{ plugin: "gemini", program: "gemini", old: "0.1.0", fine: "0.61.0" },
    missing: /^The agent's program gemini was not found\. Install it: `npm install -g @google\/gemini-cli`/,
    tooOld: /^Gemini CLI 0\.1\.0 is too old; ao needs 0\.61\.0 .*npm install -g/,
    noLogin: /^Gemini CLI has no login on this machine\. Log in by running `gemini` once/,
    login: ".gemini/oauth_creds.json",
  },
];

describe("ao doctor and ao new say the same about a project's agent", () => {
  // Each plugin's own tests cover its texts; one plugin shows that both commands print them.
  it.each(isFull ? AGENTS : AGENTS.slice(0, 1))(
    "$plugin: missing, too old, without a login, and fine",
    async (agent) => {
      const bench = await aBench({ agent: agent.plugin });
      expect(await sayOfBoth(bench)).toMatch(agent.missing);
      bench.install(agent.program, agent.old);
      expect(await sayOfBoth(bench)).toMatch(agent.tooOld);
      bench.install(agent.program, agent.fine);
      expect(await sayOfBoth(bench)).toMatch(agent.noLogin);
      mkdirSync(join(bench.home, agent.login, ".."), { recursive: true });
      writeFileSync(join(bench.home, agent.login), "never read");
      expect(await bench.shell.ok("doctor")).toContain(`ok    agent of demo: ${agent.plugin}\n`);
    },
  );

  it("another vendor's model, if its name shows it", async () => {
    const bench = await aBench({ agent: "claude-code" }, { model: "gpt-5" });
    bench.install("claude", "2.1.325 (Claude Code)");
    expect(await sayOfBoth(bench)).toMatch(/^The model gpt-5 is not a Claude Code model\. .*`agentConfig\.model`/);
  });

  it("a variable that is not set", async () => {
    const bench = await aBench({ agent: "codex", env: { KEY: `\${AO_TEST_NOT_SET}` } });
    expect(await sayOfBoth(bench)).toMatch(/AO_TEST_NOT_SET/);
  });
});

it("ao doctor uses the project's variables and the PATH of the calling shell", async () => {
  const bench = await aBench({ agent: "gemini", env: { GEMINI_API_KEY: "sk-test" } });
  bench.install("gemini", "0.61.0");
  expect(await bench.shell.ok("doctor")).toContain("ok    agent of demo: gemini\n");
  const elsewhere = await bench.shell.aoWith({ env: { PATH: "/usr/bin:/bin" } }, "doctor");
  expect(elsewhere).toMatchObject({ code: 1, out: expect.stringContaining("program gemini was not found") });
});

it("ao doctor warns about a project without an agent", async () => {
  const bench = await aBench({ agent: undefined, agentConfig: {} });
  expect(await bench.shell.ok("doctor")).toMatch(
    /^warn {2}agent of demo: no agent configured\n {6}fix: .*ao config set/m,
  );
});
