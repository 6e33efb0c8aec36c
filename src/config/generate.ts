import { stringify } from "yaml";
import { SCHEMA_URL } from "./json-schema.ts";

export interface InitialConfig {
  readonly projectId: string;
  readonly path: string;
  readonly repo?: string | null | undefined;
  readonly defaultBranch?: string | null | undefined;
  readonly runtime?: string | null | undefined;
  readonly agent?: string | null | undefined;
  /** Program and arguments, for the agent `command`. */
  readonly agentCommand?: readonly string[] | undefined;
}

/** The file that `ao start` writes on first run, with what was detected. */
export function renderInitialConfig(options: InitialConfig): string {
  return [
    `$schema: ${SCHEMA_URL}`,
    "# Every key: ao config-help. Check this file: ao config validate.",
    "",
    ...defaultLines(options),
    "projects:",
    `  ${scalar(options.projectId)}:`,
    ...projectLines(options).map((line) => `    ${line}`),
    "",
    ...POLICIES,
    "",
  ].join("\n");
}

function defaultLines(options: InitialConfig): readonly string[] {
  const lines: string[] = [];
  if (options.runtime) lines.push(`  runtime: ${scalar(options.runtime)} # tmux (terminals to attach to) or process`);
  if (options.agent) lines.push(`  agent: ${scalar(options.agent)}`);
  return lines.length === 0 ? [] : ["defaults:", ...lines, ""];
}

function projectLines(options: InitialConfig): readonly string[] {
  const lines = [`path: ${scalar(options.path)}`];
  if (options.repo) lines.push(`repo: ${scalar(options.repo)}`);
  if (options.defaultBranch) lines.push(`defaultBranch: ${scalar(options.defaultBranch)}`);
  if (options.agentCommand !== undefined) {
    lines.push("agentConfig:", `  command: [${options.agentCommand.map(flowScalar).join(", ")}]`);
  }
  return lines;
}

const POLICIES: readonly string[] = [
  "# Where people should stay in the loop. Green checks show that the code does what the tests ask, not that it is",
  "# what you want: keep at least one approval, and keep what is hard to undo for people. Remove the # to use it.",
  "#",
  "# policies:",
  "#   approvals: 1 # 0 merges what is green without anyone having read it",
  "#   paths: # a change here always needs a person",
  '#     ".github/**": human # what runs with your secrets',
  '#     "**/migrations/**": human # data cannot be reverted',
  '#     "**/*auth*/**": human # who may do what',
  '#     "**/package.json": human # new dependencies',
  "#   maxFiles: 40 # larger changes are read by nobody; ask for smaller ones",
  "#   maxLines: 800",
  "#   blockLabels: [hold, needs-design]",
  '#   quietHours: "18:00-09:00" # no merges while nobody watches',
];

/** A text as one line of YAML, quoted where it must be. */
function scalar(text: string): string {
  return /[\n\r]/.test(text) ? JSON.stringify(text) : stringify(text, { lineWidth: 0 }).trimEnd();
}

/** Arguments are always quoted: commas and brackets mean something inside a list. */
function flowScalar(text: string): string {
  return JSON.stringify(text);
}
