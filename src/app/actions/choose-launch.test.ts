import { describe, expect, it } from "vitest";
import { normalize } from "../../config/normalize.ts";
import { parseConfig } from "../../config/parse.ts";
import { createNodeHost } from "../../platform/host.ts";
import { createSilentLog } from "../../platform/log.ts";
import type { CreateSessionBody } from "../../protocol/bodies/session.ts";
import { aProject } from "../../testing/builders.ts";
import { createPluginInstances } from "../plugin-instances.ts";
import { chooseLaunch } from "./choose-launch.ts";

const plugins = createPluginInstances(createNodeHost({ log: createSilentLog() }), "/");

/** The agent of a session in a project with this configuration. */
function agentOf(project: string, body: CreateSessionBody): unknown {
  const { written } = parseConfig(`projects: { app: { path: ., ${project} } }`, "f.yaml", { env: {} });
  const config = normalize(written, { base: "/b", home: "/h" }).projects["app"];
  return chooseLaunch({ plugins }, aProject(), config, body).agent;
}

const claude = "agent: claude-code, agentConfig: { model: opus, permissions: ask, deny: [git push *] }";

describe("what a caller chooses for one session", () => {
  it("replaces the project's model and permissions and keeps the rest", () => {
    expect(agentOf(claude, { model: "haiku", permissions: "edits" })).toMatchObject({
      plugin: "claude-code",
      config: { model: "haiku", permissions: "edits", deny: ["git push *"] },
    });
    expect(agentOf(claude, {})).toMatchObject({ config: { model: "opus", permissions: "ask" } });
  });

  it("applies to another agent too", () => {
    expect(agentOf(claude, { agent: "codex", permissions: "all" })).toMatchObject({
      plugin: "codex",
      config: { permissions: "all", deny: ["git push *"] },
    });
  });

  it("is rejected by an agent without such a setting", () => {
    const command = "agentConfig: { command: [x] }";
    expect(() => agentOf(command, { model: "opus" })).toThrow('The agent "command" has no setting "model".');
    expect(() => agentOf(command, { permissions: "all" })).toThrow('has no setting "permissions"');
  });
});
