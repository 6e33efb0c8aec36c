import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentInput } from "../../core/session/state.ts";
import { createNodeHost } from "../../platform/host.ts";
import { createSilentLog } from "../../platform/log.ts";
import { registry } from "../../plugins/registry.ts";
import { tempDir } from "../../testing/temp.ts";
import { createPluginInstances } from "../plugin-instances.ts";
import { findSandboxProblems } from "./preflight.ts";
import type { SandboxProblem } from "./trial.ts";

const host = createNodeHost({ log: createSilentLog() });

/** A PATH with everything a trial needs except bubblewrap. */
function aPath(): string {
  const folder = tempDir();
  for (const name of ["env", "true", "sh"]) symlinkSync(`/usr/bin/${name}`, join(folder, name));
  return folder;
}

function check(launch: {
  readonly agent?: string;
  readonly runtime?: string;
  readonly input?: AgentInput;
  readonly sandbox?: unknown;
}): Promise<readonly SandboxProblem[]> {
  const { agent: plugin = "codex", runtime = "process", input = "inbox", sandbox = "bubblewrap" } = launch;
  const agent = { plugin, config: { command: ["x"], sandbox } };
  const instance = createPluginInstances(host, "/").get("agent", agent, "/");
  return findSandboxProblems(
    host,
    { agent, runtime: { plugin: runtime, config: {} }, input, instance },
    { PATH: aPath() },
  );
}

describe.runIf(process.platform === "linux")("a sandbox is refused before anything exists", () => {
  it.each([
    ["without bubblewrap", {}, "bubblewrap is not installed"],
    ["elsewhere", { runtime: "docker" }, "runtime docker runs them elsewhere"],
    ["beside a terminal", { runtime: "tmux" }, "needs the tmux server"],
    ["for a program in a terminal, without bubblewrap", { runtime: "tmux", input: "terminal" }, "is not installed"],
    [
      "without the network that the agent needs",
      { sandbox: { plugin: "bubblewrap", network: "none" } },
      "over the network",
    ],
    [
      "without bubblewrap, for a program that needs no network",
      { agent: "command", sandbox: { plugin: "bubblewrap", network: "none" } },
      "is not installed",
    ],
  ] as const)("%s", async (_, launch, reason) => {
    expect(await check(launch)).toMatchObject([{ message: expect.stringContaining(reason) }]);
  });

  it("that is invalid", async () => {
    await expect((async () => check({ sandbox: "docker" }))()).rejects.toThrow("expected none or bubblewrap");
  });

  it("and nothing is checked if none is configured", async () => {
    expect(await check({ sandbox: "none", runtime: "docker" })).toEqual([]);
  });
});

it("every vendor's agent declares which home folders it needs", () => {
  const open = ["acp", "command", "rehearsal"];
  const named = registry.filter(({ slot, name }) => slot === "agent" && !open.includes(name));
  const box = createPluginInstances(host, "/");
  const silent = named.filter(({ name }) => {
    const agent = box.get("agent", { plugin: name, config: { permissions: "all" } }, "/");
    return agent.footprint?.({ HOME: "/h" }).folders[0]?.path.startsWith("/h/.") !== true;
  });
  expect(silent.map(({ name }) => name)).toEqual([]);
});
