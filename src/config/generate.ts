import { stringify } from "yaml";
import { SCHEMA_URL } from "./json-schema.ts";

export interface InitialConfig {
  readonly projectId: string;
  readonly path: string;
  readonly defaultBranch?: string | null | undefined;
  /** The address of the remote "origin". */
  readonly remote?: string | null | undefined;
  /** The agent that was chosen; without one the file says how to choose. */
  readonly agent?: InitialAgent | null | undefined;
}

export interface InitialAgent {
  readonly name: string;
  /** What it may do unasked; null: the agent takes no such setting, so a person decides. */
  readonly permissions: "ask" | "edits" | null;
  readonly allow: readonly string[];
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
  lines.push(...trackerLines(options.remote ?? ""));
  if (!options.agent) return [...lines, "# agent: claude-code # see docs/user/agents.md for the others"];
  return [...lines, `agent: ${scalar(options.agent.name)} # found on PATH`, ...permissionLines(options.agent)];
}

const GITHUB = /^(?:https:\/\/|ssh:\/\/git@|git@)(?:[^@/]*@)?github\.com[:/]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/i;

/** Offered, not chosen: only a person knows whether the issues are there. */
function trackerLines(remote: string): readonly string[] {
  const repo = GITHUB.exec(remote)?.[1];
  if (repo === undefined) return [];
  return [
    `# repo: ${repo}`,
    "# tracker: github # issues on GitHub; needs GITHUB_TOKEN or gh (docs/plugins/tracker/github.md)",
  ];
}

function permissionLines({ permissions, allow }: InitialAgent): readonly string[] {
  if (permissions === null) return [];
  return [
    "agentConfig:",
    ...(allow.length === 0
      ? ["  # It edits files in its worktree without asking."]
      : [
          "  # It edits files in its worktree and runs these commands without asking; anything else, such as git push",
          "  # or rm, asks you first (ao inbox). permissions: ask asks about every edit too, all about nothing.",
        ]),
    `  permissions: ${permissions}`,
    ...(allow.length === 0 ? [] : ["  allow:", ...allow.map((command) => `    - ${scalar(command)}`)]),
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

/** A text as one line of YAML, quoted where it must be. */
function scalar(text: string): string {
  return /[\n\r]/.test(text) ? JSON.stringify(text) : stringify(text, { lineWidth: 0 }).trimEnd();
}
