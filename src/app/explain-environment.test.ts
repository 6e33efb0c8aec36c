import { expect, it } from "vitest";
import { explainEnvironment } from "./explain-environment.ts";
import { gateVariables } from "./sandbox/network-gate.ts";

const SECRET = "hunter2";

it("lists which programs get a variable and by which rule, and hides values that may be secret", () => {
  const shell = { PATH: "/bin" };
  const view = explainEnvironment({
    daemon: { ...shell, DATABASE_URL: SECRET, CODEX_HOME: SECRET },
    programs: {
      agent: {
        ...{ ...shell, CODEX_HOME: SECRET, KEY: SECRET, GIT_AUTHOR_NAME: "codex (ao)" },
        ...{ AO_SESSION: "web-1", AO_TOKEN: SECRET, GIT_CONFIG_KEY_0: "user.name" },
      },
      checks: { ...shell, KEY: SECRET },
      postCreate: { ...shell, KEY: SECRET },
      git: shell,
    },
    project: { KEY: SECRET },
    gate: {},
    plugin: "codex",
    projectId: "web",
  });
  expect(JSON.stringify(view)).not.toContain(SECRET);
  const rows = view.variables.map(({ name, rule, programs, value }) => [name, rule, programs.join(" "), value]);
  expect(rows).toEqual([
    ["AO_SESSION", "set by ao", "agent", "web-1"],
    ["AO_TOKEN", "set by ao", "agent", null],
    ["CODEX_HOME", "declared by the agent plugin codex", "agent", null],
    ["GIT_AUTHOR_NAME", "git identity of the agent", "agent", "codex (ao)"],
    ["GIT_CONFIG_KEY_0", "git identity of the agent", "agent", "user.name"],
    ["KEY", "projects.web.env", "agent checks postCreate", null],
    ["PATH", "on the list for every program (shell)", "agent checks postCreate git", "/bin"],
  ]);
  expect(view.withheld).toEqual(["DATABASE_URL"]);
});

it("shows that the agent in a sandbox with a list of hosts gets the proxy's address, and others the one they had", () => {
  const shell = { HTTPS_PROXY: "http://proxy.example.com:8080" };
  const gate = gateVariables(["api.example.com"]);
  const programs = { agent: { ...shell, ...gate }, checks: shell, postCreate: shell, git: shell };
  const { variables } = explainEnvironment({
    ...{ daemon: shell, programs, project: {}, gate, plugin: "codex", projectId: "web" },
  });
  const shown = variables.find(({ name }) => name === "HTTPS_PROXY");
  expect(shown).toMatchObject({ rule: "sandbox: proxy to the listed hosts", value: gate["HTTPS_PROXY"] });
  expect(gateVariables("none")).toEqual({});
});
