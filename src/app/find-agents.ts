import type { InitialAgent } from "../config/generate.ts";
import { registry } from "../plugins/registry.ts";
import type { Host } from "../ports/host.ts";
import type { Plugin, Requirement } from "../ports/plugin.ts";
import { findProgram } from "../providers/bridged/program.ts";
import { WEBHOOK_FORMATS } from "./webhooks/formats.ts";

/** Agents that are detected by their own program, in order of preference. */
const AGENTS: readonly Plugin<"agent", unknown>[] = (registry as readonly Plugin[]).filter(
  (plugin): plugin is Plugin<"agent", unknown> => plugin.slot === "agent" && plugin.requires.length > 0,
);

/** Variables of the user's shell that plugins and webhooks declare. */
export const KEY_VARIABLES: readonly string[] = [
  ...new Set((registry as readonly Plugin[]).flatMap((plugin) => plugin.secrets ?? [])),
  ...WEBHOOK_FORMATS.map(({ secretVariable }) => secretVariable),
];

/** Variables that an agent's plugin declares besides its keys. */
export function variablesOf(agent: string): readonly string[] {
  return AGENTS.find(({ name }) => name === agent)?.variables ?? [];
}

/** The program by which an agent is found; null: it has none of its own. */
export function programOf(agent: string): Requirement | null {
  return AGENTS.find(({ name }) => name === agent)?.requires[0] ?? null;
}

/** Names of all agents that can be found. */
export const AGENT_NAMES: readonly string[] = AGENTS.map(({ name }) => name);

/** Names of the agents whose program is on a PATH. */
export async function findAgents(host: Host, path: string | undefined): Promise<readonly string[]> {
  const where = { cwd: "/", environment: { PATH: path } };
  const found = await Promise.all(
    AGENTS.map(async ({ name, requires: [requirement] }) => {
      const program = requirement === undefined ? null : await findProgram(host, requirement.program, where);
      return program === null ? [] : [name];
    }),
  );
  return found.flat();
}

/** What an agent needs all the time and cannot do harm with: none of these pushes or deletes. */
const GIT = ["git status *", "git diff *", "git log *", "git show *", "git add *", "git commit *"];

/** What `ao` itself asks of agents: to resolve a conflict, to bring back a revert, and to answer a review. */
function askedOfAgents(base: string): readonly string[] {
  return [`git merge ${base} *`, `git rebase --onto ${base} *`, "git revert *", "ao reply *"];
}

/** What the permissions of a new project's agent depend on. */
export interface InitialProject {
  /** The branch that pull requests merge into. */
  readonly base: string;
  readonly checks: readonly string[];
}

/**
 * What a new project's agent may do unasked: edits, commits and the project's checks. An agent that can only be allowed
 * everything is allowed nothing: that is for a person to decide.
 */
export function presetFor(name: string, project: InitialProject): InitialAgent {
  const plugin = AGENTS.find((one) => one.name === name);
  const isHeld = plugin?.levels?.includes("edits") ?? true;
  const asks = plugin?.levels?.includes("ask") ?? true;
  const allow = isHeld && asks ? [...GIT, ...askedOfAgents(project.base), ...project.checks] : [];
  return { name, permissions: isHeld ? "edits" : null, allow, confines: plugin?.confines === true };
}

/** How to choose an agent for a project, with the names available here. */
export function adviseAgent(projectId: string, found: readonly string[]): string {
  const [first] = found;
  if (first !== undefined) {
    const others = found.length === 1 ? "" : ` Also found: ${found.slice(1).join(", ")}.`;
    return `Found on PATH: run \`ao config set projects.${projectId}.agent ${first}\`.${others}`;
  }
  return (
    `Install one (${AGENT_NAMES.join(", ")}) and run \`ao config set projects.${projectId}.agent NAME\`, ` +
    `or use any program: \`ao config set projects.${projectId}.agentConfig '{ command: [my-agent] }'\`.`
  );
}
