import { stringify } from "yaml";
import type { ForgeRepository } from "./forge-of.ts";
import { SCHEMA_URL } from "./json-schema.ts";
import { PLUGIN_NAMES } from "./plugin-names.ts";

export interface InitialConfig {
  readonly projectId: string;
  readonly path: string;
  readonly defaultBranch?: string | null | undefined;
  /** The forge of the remote "origin". */
  readonly forge?: ForgeRepository | null | undefined;
  /** Use its issues and pull requests, instead of only suggesting it. */
  readonly usesForge?: boolean | undefined;
  /** The chosen agent; without one the file explains how to choose. */
  readonly agent?: InitialAgent | null | undefined;
}

export interface InitialAgent {
  readonly name: string;
  /** What it may do unasked; null: the agent has no such setting, so a person decides. */
  readonly permissions: "ask" | "edits" | null;
  readonly allow: readonly string[];
  /** It runs other commands without asking, in a sandbox of its own. */
  readonly confines?: boolean;
  /** Why it does not run in bubblewrap; null: it does. Absent: nobody tried. */
  readonly sandboxObstacle?: string | null;
}

/** The file that `ao start` writes on first run, with what was detected. */
export function renderInitialConfig(options: InitialConfig): string {
  return [
    `$schema: ${SCHEMA_URL}`,
    "# Every key: ao config-help. Check this file: ao config validate.",
    "",
    "projects:",
    `  ${scalar(options.projectId)}:`,
    ...projectLines(options).map((line) => `    ${line}`),
    "",
    ...POLICIES,
    "",
  ].join("\n");
}

function projectLines(options: InitialConfig): readonly string[] {
  const lines = [`path: ${scalar(options.path)}`];
  if (options.defaultBranch) lines.push(`defaultBranch: ${scalar(options.defaultBranch)}`);
  lines.push(...forgeLines(options));
  if (!options.agent) return [...lines, "# agent: claude-code # see docs/user/agents.md for the others"];
  return [...lines, `agent: ${scalar(options.agent.name)} # found on PATH`, ...agentConfigLines(options.agent)];
}

const FORGE_NAMES = { github: "GitHub", gitlab: "GitLab" };

/**
 * Enabled if the user gave the forge's URL; otherwise suggested, because only a person knows whether the issues are
 * there.
 */
function forgeLines({ forge, usesForge }: InitialConfig): readonly string[] {
  if (forge == null) return [];
  const name = FORGE_NAMES[forge.forge];
  const plugin = forge.baseUrl === null ? forge.forge : `{ plugin: ${forge.forge}, baseUrl: ${scalar(forge.baseUrl)} }`;
  const about = {
    tracker: `issues on ${name} (docs/plugins/tracker/${forge.forge}.md)`,
    scm: `pull requests on ${name} (docs/plugins/scm/${forge.forge}.md)`,
  };
  const slots = (["tracker", "scm"] as const).filter((slot) => PLUGIN_NAMES[slot].available.includes(forge.forge));
  if (slots.length === 0) return [];
  const lines = [`repo: ${scalar(forge.repo)}`, ...slots.map((slot) => `${slot}: ${plugin} # ${about[slot]}`)];
  return usesForge === true ? lines : lines.map((line) => `# ${line}`);
}

function agentConfigLines(agent: InitialAgent): readonly string[] {
  const lines = [...sandboxLines(agent), ...permissionLines(agent)];
  // A key without anything below it would not be valid.
  const isEmpty = lines.every((line) => line.startsWith("#"));
  return isEmpty ? lines : ["agentConfig:", ...lines.map((line) => `  ${line}`)];
}

function sandboxLines({ sandboxObstacle: obstacle }: InitialAgent): readonly string[] {
  if (obstacle === undefined) return [];
  if (obstacle === null) {
    return [
      "# It can write to its worktree and little else (docs/user/sandbox.md); sandbox: none turns that off.",
      "sandbox: bubblewrap",
    ];
  }
  return [`# sandbox: bubblewrap # not used: ${obstacle.replaceAll(/\s+/g, " ")}`];
}

function permissionLines(agent: InitialAgent): readonly string[] {
  const { permissions, allow } = agent;
  if (permissions === null) return [];
  return [
    ...aboutPermissions(agent).map((line) => `# ${line}`),
    `permissions: ${permissions}`,
    ...(allow.length === 0 ? [] : ["allow:", ...allow.map((command) => `  - ${scalar(command)}`)]),
  ];
}

function aboutPermissions({ allow, confines }: InitialAgent): readonly string[] {
  if (allow.length === 0) return ["It edits files in its worktree without asking."];
  if (confines === true) {
    return [
      "It edits files and runs commands in its own sandbox without asking; what the sandbox stops, it asks you about",
      "(ao inbox), except for these commands. With deny: or ask: it asks about every command that is not listed.",
      "permissions: ask also asks about every edit and command; all never asks, without a sandbox of its own.",
    ];
  }
  return [
    "It edits files in its worktree and runs these commands without asking; anything else, such as git push or rm,",
    "asks you first (ao inbox). deny: forbids a command, ask: always asks about it, even if allow covers it.",
    "permissions: ask also asks about every edit; all never asks.",
  ];
}

const POLICIES: readonly string[] = [
  "# Where people stay in the loop. One approval is needed by default: green checks show that the code does what the",
  "# tests ask, not that it is what you want. Remove the # to change it.",
  "#",
  "# policies:",
  "#   approvals: 1 # 0: merge without anyone having read it",
  "#   blockLabels: [hold, needs-design] # never merge a pull request with one of these labels",
];

/** A string as one line of YAML, quoted if necessary. */
function scalar(text: string): string {
  return /[\n\r]/.test(text) ? JSON.stringify(text) : stringify(text, { lineWidth: 0 }).trimEnd();
}
