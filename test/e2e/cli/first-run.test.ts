import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { git, makeRepo } from "../../../src/testing/git-repo.ts";
import { hasBubblewrap } from "../sandbox/stage.ts";
import { makePlace, openShell, type Shell } from "./shell.ts";
import { openTerminal } from "./terminal.ts";

/** A machine with these programs on PATH, and a repository with a test. */
function machine(...programs: readonly string[]): {
  readonly repo: string;
  readonly shell: Shell;
  readonly aoHome: string;
} {
  const { dir, env, aoHome } = makePlace();
  const bin = join(dir, "bin");
  mkdirSync(bin);
  for (const name of programs) {
    writeFileSync(join(bin, name), '#!/bin/sh\necho "9.9.9"\n');
    chmodSync(join(bin, name), 0o755);
  }
  const packageJson = JSON.stringify({ scripts: { test: "node --test" } });
  const repo = makeRepo(join(dir, "app"), { "package.json": packageJson });
  return { repo, aoHome, shell: openShell(repo, { ...env, PATH: `${bin}:${env["PATH"]}` }) };
}

/** Claude Code only needs to see that there is a login. */
function logIn(shell: Shell): void {
  const login = join(String(shell.env["HOME"]), ".claude");
  mkdirSync(login);
  writeFileSync(join(login, ".credentials.json"), "{}");
}

function configOf(repo: string): unknown {
  return parse(readFileSync(join(repo, "agent-orchestrator.yaml"), "utf8")).projects.app;
}

it("ao start picks the agent it finds, prints its permissions, and returns", async () => {
  const { repo, shell } = machine("claude");
  logIn(shell);
  const started = await shell.ao("start");
  expect(started).toMatchObject({ code: 0, err: expect.not.stringContaining("note:") });
  expect(started.out).toContain(`wrote ${repo}/agent-orchestrator.yaml\n`);
  expect(started.out).toContain("agent: claude-code (found on PATH); edits allowed, other commands ask\n");
  expect(started.out).toMatch(/dashboard: http:.*one-time link[\s\S]*\nnext: ao new "what to do"\n$/);
  expect(configOf(repo)).toEqual({
    path: ".",
    defaultBranch: "main",
    agent: "claude-code",
    agentConfig: {
      ...(hasBubblewrap ? { sandbox: "bubblewrap" } : {}),
      permissions: "edits",
      allow: [
        ...["git status *", "git diff *", "git log *", "git show *", "git add *", "git commit *"],
        ...["git merge main *", "git rebase --onto main *", "git revert *", "ao reply *", "npm test"],
      ],
    },
  });
  expect(git(repo, "status", "--porcelain")).toBe("");
  expect((await shell.ao("config", "validate")).err).toBe("");
});

it.skipIf(!hasBubblewrap)(
  "ao start writes a sandbox for an agent whose program starts in one, and says so",
  async () => {
    const { repo, shell } = machine("claude");
    logIn(shell);
    const turnedOn = "sandbox: bubblewrap, so it writes to its worktree and little else; to turn it off: ";
    expect(await shell.ok("start")).toContain(`${turnedOn}ao config set projects.app.agentConfig.sandbox none\n`);
    expect(await shell.ok("doctor")).toContain("sandbox of app: bubblewrap, network: all\n");
    await shell.ok("config", "set", "projects.app.agentConfig.sandbox", "none");
    expect(await shell.ok("doctor")).toContain("sandbox of app: none: the agent runs as you\n");
    // An existing file stays as it is.
    expect(await shell.ok("start")).not.toContain("sandbox");
    expect(configOf(repo)).toMatchObject({ agentConfig: { sandbox: "none" } });
  },
);

it("ao start writes no sandbox for an agent that does not start in one, and the file says why", async () => {
  const { repo, shell } = machine("claude");
  // In the sandbox its own folder is all that it can write.
  const program = `#!/bin/sh\ntouch "${repo}/x" && rm "${repo}/x" && echo 9.9.9\n`;
  writeFileSync(join(repo, "../bin/claude"), program);
  expect(await shell.ok("start")).not.toContain("sandbox:");
  const text = readFileSync(join(repo, "agent-orchestrator.yaml"), "utf8");
  expect(text).toMatch(/^ {6}# sandbox: bubblewrap # not used: \S.*\.$/m);
  expect(configOf(repo)).not.toHaveProperty("agentConfig.sandbox");
});

it("ao start picks the first of several without a terminal, or the named one", async () => {
  const { repo, shell } = machine("gemini", "codex");
  expect(await shell.ok("start")).toContain("agent: codex (found on PATH)");
  await shell.ok("remove-project", "app");
  writeFileSync(join(repo, "agent-orchestrator.yaml"), "projects: { app: { path: . } }\n");
  const again = await shell.ao("start");
  expect(again.err).toContain("app has no agent. Found on PATH: run `ao config set projects.app.agent codex`");
  const refused = await shell.ao("new", "Fix it");
  expect(refused.err).toContain(
    "hint: Found on PATH: run `ao config set projects.app.agent codex`. Also found: gemini.",
  );
});

it("ao start without any agent lists the supported ones", async () => {
  const { repo, shell } = machine();
  const started = await shell.ao("start");
  expect(started).toMatchObject({ code: 0, err: expect.stringContaining("Install one (claude-code, codex, opencode") });
  expect(configOf(repo)).toEqual({ path: ".", defaultBranch: "main" });
});

it("a running daemon takes an agent's key from the calling shell and does not leak it", async () => {
  const { shell, aoHome } = machine("claude");
  expect((await shell.ao("start")).err).toContain("note: Claude Code has no login");
  const key = "sk-ant-swordfish-swordfish";
  expect((await shell.ao("doctor")).out).toContain("Claude Code has no login");
  expect((await shell.aoWith({ env: { ANTHROPIC_API_KEY: key } }, "start")).code).toBe(0);
  expect(await shell.ok("doctor")).toContain("ok    agent of app: claude-code");
  for (const name of ["ao.db", "ao.db-wal", "logs/daemon.log", "logs/daemon.out"]) {
    const file = join(aoHome, name);
    if (existsSync(file)) expect(readFileSync(file).includes(key), name).toBe(false);
  }
});

it("a person at a terminal chooses the agent and registers the current repository", async () => {
  const { repo, shell } = machine("gemini", "codex");
  const terminal = openTerminal(shell, repo, "new", "'Fix it'");
  await terminal.type("\r", "app is not registered with ao. Register it now? [Y/n]");
  await terminal.type("7\r", "1-2 [1]");
  await terminal.type("2\r", "1-2 [1]", 2);
  const { out } = await terminal.end();
  expect(out).toContain("1. codex");
  expect(out).toContain("agent: gemini (found on PATH)");
  expect(configOf(repo)).toMatchObject({ agent: "gemini" });
});

it("Ctrl+C at the question quits, and nothing is written", async () => {
  const { repo, shell } = machine("codex");
  const terminal = openTerminal(shell, repo, "new", "'Fix it'");
  await terminal.type("\u0003", "Register it now? [Y/n]");
  const { code, out } = await terminal.end();
  expect(code).toBe(1);
  expect(out).toContain("app is not registered with ao\r\n");
  expect(out).toMatch(/hint:.*`ao start .*app` registers it/);
  expect(existsSync(join(repo, "agent-orchestrator.yaml"))).toBe(false);
});
