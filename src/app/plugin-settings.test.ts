import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseConfig } from "../config/parse.ts";
import { listIgnoredSettings } from "../config/plugin-settings.ts";
import { setInText } from "../config/set.ts";
import { checkSettings } from "./plugin-settings.ts";

function problemsOf(text: string, env: Record<string, string> = {}): readonly string[] {
  try {
    parseConfig(text, "f", { env, settings: checkSettings });
    return [];
  } catch (error) {
    return (error as Error).message.split("\n").map((line) => line.replace(/^f:\d+:\d+: /, ""));
  }
}

function project(text: string): string {
  return `projects: { app: { path: ., ${text} } }`;
}

describe("the settings of a plugin", () => {
  it.each([
    [
      "a misspelt deny",
      project('agent: claude-code, agentConfig: { permissions: edits, denny: ["git push *"] }'),
      'projects.app.agentConfig.denny: unknown key for agent claude-code (did you mean "deny"?)',
    ],
    [
      "a misspelled deny of the default agent",
      `defaults: { agent: codex }\n${project("agentConfig: { denny: [rm] }")}`,
      'projects.app.agentConfig.denny: unknown key for agent codex (did you mean "deny"?)',
    ],
    [
      "a misspelled deny while no agent is chosen",
      project("agentConfig: { denny: [rm] }"),
      'projects.app.agentConfig.denny: unknown key (did you mean "deny"?)',
    ],
    [
      "a deny for a program that cannot be held to it",
      project('agentConfig: { command: [x], deny: ["git push *"] }'),
      "projects.app.agentConfig.deny: unknown key for agent command (known here: command, protocol, sandbox, interface)",
    ],
    [
      "a misspelt command",
      project("agent: command, agentConfig: { comand: [x] }"),
      'projects.app.agentConfig.comand: unknown key for agent command (did you mean "command"?)',
    ],
    [
      "a key of the object form",
      project("agent: { plugin: acp, command: [x], mod: plan }"),
      'projects.app.agent.mod: unknown key for agent acp (did you mean "mode"?)',
    ],
    [
      "a value of the wrong form",
      project("agent: { plugin: acp, command: [x], usage: all }"),
      'projects.app.agent.usage: expected one of conversation, process, turn, none, found "all"',
    ],
    [
      "a misspelled team of Linear",
      project("tracker: { plugin: linear, teamid: ENG }"),
      'projects.app.tracker.teamid: unknown key for tracker linear (did you mean "teamId"?)',
    ],
    ["a Jira without a project", project("tracker: jira"), "projects.app.tracker.project: missing"],
    [
      "a key of the default agent, once",
      `defaults: { agent: { plugin: codex, denny: [rm] } }\nprojects: { a: { path: a }, b: { path: b } }`,
      'defaults.agent.denny: unknown key for agent codex (did you mean "deny"?)',
    ],
    [
      "a key of a runtime",
      project("runtime: { plugin: process, shell: zsh }"),
      "projects.app.runtime.shell: unknown key for runtime process",
    ],
    [
      "a key of a notifier",
      "notifiers: { hook: { plugin: webhook, url: 'https://example.com', urll: x } }",
      'notifiers.hook.urll: unknown key for notifier webhook (did you mean "url"?)',
    ],
    ["a notifier without its URL", "notifiers: { hook: { plugin: webhook } }", "notifiers.hook.url: missing"],
    ["a tracker on GitHub without its repository", project("tracker: github"), "projects.app.tracker.repo: missing"],
    [
      "a repository that is none",
      project("repo: nonsense, tracker: github"),
      'projects.app.repo: expected owner/name, found "nonsense"',
    ],
    ["an acp agent without a program", project("agent: acp"), "projects.app.agentConfig.command: missing"],
  ])("rejects %s", (_, text, expected) => {
    expect(problemsOf(text)).toEqual([expected]);
  });

  it.each([
    ["other spellings of a level", project("agent: claude-code, agentConfig: { permissions: auto-edit }")],
    [
      "a sandbox and an interface",
      project("agent: codex, agentConfig: { sandbox: bubblewrap, interface: structured }"),
    ],
    ["the project's repository for its tracker", project("repo: octo/app, tracker: github")],
    ["the tracker's own repository", project("repo: octo/app, tracker: { plugin: github, repo: octo/issues }")],
    ["a plugin of a later version", project("runtime: { plugin: docker, image: x }")],
    ["a variable that is not set", `notifiers: { hook: { plugin: webhook, url: '\${HOOK_URL}' } }`],
    ["a program for each project", `defaults: { agent: command }\n${project("agentConfig: { command: [x] }")}`],
  ])("accepts %s", (_, text) => {
    expect(problemsOf(text)).toEqual([]);
  });

  it("shows no secret from the environment", () => {
    const text = `notifiers: { hook: { plugin: webhook, url: '\${HOOK_URL}' } }`;
    expect(problemsOf(text, { HOOK_URL: "swordfish" }).join()).not.toContain("swordfish");
  });

  it("reports shared settings that an agent ignores", () => {
    const { written } = parseConfig(project("agentConfig: { command: [x], permissions: edits }"), "f", { env: {} });
    expect(listIgnoredSettings(written, checkSettings)).toEqual([
      "projects.app.agentConfig.permissions: has no effect with agent command, ignored",
    ]);
  });

  const fixtures = join(import.meta.dirname, "../../test/fixtures/config");
  const files = readdirSync(fixtures, { recursive: true }).map(String);
  it.each(files.filter((name) => name.endsWith(".yaml")))("accepts %s", (name) => {
    expect(problemsOf(readFileSync(join(fixtures, name), "utf8"))).toEqual([]);
  });
});

describe("config set", () => {
  const FILE = "port: 3000\nprojects:\n  app:\n    path: .\n";
  const set = (key: string, value: string): string => setInText(FILE, key, value, { settings: checkSettings });

  it.each([
    ["projects.app.agent", "clude", 'projects.app.agent: unknown agent "clude" (did you mean "claude-code"?)'],
    [
      "projects.app.agentConfig",
      '{ permissions: edits, denny: ["git push *"] }',
      'projects.app.agentConfig.denny: unknown key (did you mean "deny"?)',
    ],
    ["port", "many", 'port: expected a number, found "many"'],
  ])("attributes the error to the argument for %s %s, because the file has not changed", (key, value, message) => {
    expect(() => set(key, value)).toThrow(
      expect.objectContaining({ message, hint: expect.stringContaining("Nothing was written") }),
    );
  });
});
