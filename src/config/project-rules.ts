import { DEFAULT_TRUST } from "../core/change/trust.ts";
import { limitNetwork } from "../core/network-limit.ts";
import { nearest } from "./did-you-mean.ts";
import { chooseRef, toPluginRef } from "./plugin-ref.ts";
import type { Finding } from "./problem.ts";
import type { WrittenConfig, WrittenProject } from "./schema.ts";
import type { Path } from "./schema-walk.ts";

/** Checks of one project that involve more than one key. */
export function checkProject(id: string, project: WrittenProject, written: WrittenConfig): readonly Finding[] {
  const at = ["projects", id];
  return [
    ...checkPath(at, project),
    ...checkCommandAgent(at, project, written),
    ...checkInterface(at, project, written),
    ...checkSymlinks(at, project),
    ...checkTrust(at, project, written),
  ];
}

function checkPath(at: Path, project: WrittenProject): readonly Finding[] {
  if (project.path !== undefined) return [];
  return [{ path: at, at: "key", message: "has no path", hint: `write path: ~/${String(at[1])}` }];
}

function checkCommandAgent(at: Path, project: WrittenProject, written: WrittenConfig): readonly Finding[] {
  const agent = chooseRef(project.agent, defaultRef(written.defaults?.agent));
  if (agent?.plugin !== "command") return [];
  const hasCommand = project.agentConfig?.command !== undefined || agent.config["command"] !== undefined;
  // A misspelled one is reported separately.
  if (hasCommand || Object.keys(project.agentConfig ?? {}).some((key) => nearest(key, ["command"]) !== null)) return [];
  const hint = "write agentConfig: { command: [program, argument, ...] }";
  return [{ path: at, at: "key", message: "uses the agent `command` and has no agentConfig.command", hint }];
}

/** The runtime that each interface needs; only explicit settings can contradict each other. */
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

/** A restriction that `ao` could not keep is refused here, not when untrusted text arrives. */
function checkTrust(at: Path, project: WrittenProject, written: WrittenConfig): readonly Finding[] {
  const trust = project.trust ?? written.trust;
  const network = typeof trust === "object" ? (trust.network ?? true) : true;
  if (network === true) return [];
  const agent = chooseRef(project.agent, defaultRef(written.defaults?.agent));
  const config = { ...agent?.config, ...project.agentConfig };
  // Without an agent it is unknown whose model it would be.
  const kept = agent === null ? [] : network;
  const limit = limitNetwork({ plugin: agent?.plugin ?? "", config }, { ...DEFAULT_TRUST, network: kept });
  if (limit.kind !== "impossible") return [];
  const own = project.trust === undefined ? [] : at;
  const message = `ao cannot restrict the network in project ${String(at[1])}: ${limit.reason}`;
  return [{ path: [...own, "trust", "network"], at: "value", message, hint: limit.fix }];
}

/** A link that leads out of the checkout would let one workspace write to another's files. */
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
