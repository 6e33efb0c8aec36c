import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { aGithubScene } from "../../../src/testing/fake-github/scene.ts";
import { makePlace, openShell } from "../cli/shell.ts";

it("clones a GitHub repository by its URL and uses its issues and pull requests", async () => {
  const { github, repository } = await aGithubScene();
  repository.openIssue({ title: "Fix login" });
  const { dir, env } = makePlace();
  const { host } = new URL(github.url);
  const variables = { GH_HOST: host, GITHUB_TOKEN: github.token, GIT_TERMINAL_PROMPT: "0" };
  const shell = openShell(dir, { ...env, ...variables });
  const address = `http://octo:${github.token}@${host}/octo/demo.git`;

  const refused = await shell.ao("start", `http://${host}/octo/demo.git`, "--no-open");
  expect(refused.err).toContain(`you have no access to http://${host}/octo/demo.git`);
  const missing = await shell.ao("start", address.replace("demo", "nothing"), "--no-open");
  expect(missing.err).toContain(`there is no repository http://${host}/octo/nothing.git`);
  mkdirSync(join(dir, "taken"));
  writeFileSync(join(dir, "taken", "file"), "");
  const taken = await shell.ao("start", address, "--into", "taken", "--no-open");
  expect(taken.err).toContain("taken exists and is not a clone of");

  await shell.ok("start", address, "--no-open");
  const text = readFileSync(join(dir, "demo", "agent-orchestrator.yaml"), "utf8");
  const plugin = { plugin: "github", baseUrl: `http://${host}` };
  expect(parse(text).projects.demo).toMatchObject({
    defaultBranch: "main",
    repo: "octo/demo",
    tracker: plugin,
    scm: plugin,
  });
  expect(`${text}${taken.err}${missing.err}`).not.toContain(github.token);
  const stored = `${await shell.ok("api", "GET", "/projects")}${await shell.ok("events", "--json")}`;
  expect(stored).toContain("project.registered");
  expect(stored).not.toContain(github.token);
  expect(await shell.ok("issue", "list", "--project", "demo")).toContain("Fix login");
  expect((await shell.ao("start", address, "--no-open")).err).toContain("is there already; using it");
});
