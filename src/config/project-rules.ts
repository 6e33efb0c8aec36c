import { nearest, suggest } from "./did-you-mean.ts";
import { chooseRef, toPluginRef } from "./plugin-ref.ts";
import type { Finding } from "./problem.ts";
import { AgentConfig } from "./schema/plugin-ref.ts";
import type { WrittenConfig, WrittenProject } from "./schema.ts";
import type { Path } from "./schema-walk.ts";

/** Checks of one project that need more than one key at a time. */
export function checkProject(id: string, project: WrittenProject, written: WrittenConfig): readonly Finding[] {
  const at = ["projects", id];
  return [
    ...checkPath(at, project),
    ...checkCommandAgent(at, project, written),
    ...checkInterface(at, project, written),
    ...checkSymlinks(at, project),
  ];
}

function checkPath(at: Path, project: WrittenProject): readonly Finding[] {
  if (project.path !== undefined) return [];
  return [{ path: at, at: "key", message: "has no path", hint: `write path: ~/${String(at[1])}` }];
}

/** The agent `command` takes exactly these settings, so a slip in one of them can be told here. */
const COMMAND_KEYS = Object.keys(AgentConfig.shape);

function checkCommandAgent(at: Path, project: WrittenProject, written: WrittenConfig): readonly Finding[] {
  const agent = chooseRef(project.agent, defaultRef(written.defaults?.agent));
  if (agent?.plugin !== "command") return [];
  const findings: Finding[] = [];
  const ownKeys = Object.keys(project.agentConfig ?? {});
  for (const key of ownKeys.filter((name) => !COMMAND_KEYS.includes(name))) {
    const hint = suggest(key, COMMAND_KEYS);
    findings.push({ path: [...at, "agentConfig", key], at: "key", message: "unknown key of the agent command", hint });
  }
  const hasCommand = project.agentConfig?.command !== undefined || agent.config["command"] !== undefined;
  if (!hasCommand && !ownKeys.some((key) => nearest(key, ["command"]) !== null)) {
    const hint = "write agentConfig: { command: [program, argument, ...] }";
    findings.push({ path: at, at: "key", message: "uses the agent `command` and has no agentConfig.command", hint });
  }
  return findings;
}

/** Which runtime gives an agent which interface; only what is written on both sides can disagree. */
const RUNTIME_OF_INTERFACE = { terminal: "tmux", structured: "process" } as const;

function checkInterface(at: Path, project: WrittenProject, written: WrittenConfig): readonly Finding[] {
  const chosen = project.agentConfig?.interface;
  const runtime = chooseRef(project.runtime, defaultRef(written.defaults?.runtime))?.plugin;
  if (chosen === undefined || runtime === undefined) return [];
  const fits = (runtime === "tmux") === (chosen === "terminal");
  if (fits || (runtime !== "tmux" && runtime !== "process")) return [];
  return [
    {
      path: [...at, "agentConfig", "interface"],
      at: "value",
      message: `${chosen} does not go with the runtime ${runtime}`,
      hint: `use runtime: ${RUNTIME_OF_INTERFACE[chosen]}, or leave interface out`,
    },
  ];
}

/** A link that leads out of the checkout would let one workspace write into another's files. */
function checkSymlinks(at: Path, project: WrittenProject): readonly Finding[] {
  return (project.symlinks ?? []).flatMap((link, index): Finding[] => {
    const leaves = link.startsWith("/") || link.startsWith("~") || link.split("/").includes("..");
    if (!leaves) return [];
    const message = `"${link}" leads out of the project`;
    return [{ path: [...at, "symlinks", index], at: "value", message, hint: "write it relative to the project" }];
  });
}

function defaultRef(ref: Parameters<typeof toPluginRef>[0] | undefined): ReturnType<typeof toPluginRef> | null {
  return ref === undefined ? null : toPluginRef(ref);
}
