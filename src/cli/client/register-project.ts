import { resolve } from "node:path";
import { AoError } from "../../core/errors.ts";
import type { AddedProjects, CreatedConfig } from "../../protocol/views/project.ts";
import { canAsk, chooseFrom } from "../args/ask.ts";
import { note, print } from "../views/print.ts";
import { callerEnvironment } from "./caller-environment.ts";
import type { Client } from "./client.ts";

export interface RegisterOptions {
  readonly path: string;
  /** The named file; AO_CONFIG can name one as well. */
  readonly config?: string | undefined;
  /** The agent for a new configuration. */
  readonly agent?: string | undefined;
  /** The repository was given by its URL: a new configuration uses its issues and pull requests. */
  readonly useForge?: boolean | undefined;
}

/**
 * Registers the projects of a folder with the daemon; if several agents are installed, a person chooses one for a new
 * project.
 */
export async function registerProject(client: Client, options: RegisterOptions): Promise<AddedProjects> {
  const config = options.config ?? (process.env["AO_CONFIG"] || undefined);
  const input = {
    path: resolve(options.path),
    ...(config === undefined ? {} : { config: resolve(config) }),
    ...(options.useForge === true ? { useForge: true } : {}),
    env: await callerEnvironment(client),
  };
  const isFixed = options.agent !== undefined || !canAsk();
  const first = { ...input, choose: !isFixed, ...(options.agent === undefined ? {} : { agent: options.agent }) };
  const registered = await client.call("POST /api/projects", { input: first });
  if (registered.choices.length === 0) return registered;
  const agent = await chooseFrom("Several agents are installed. Which one should work here?", registered.choices);
  if (agent === null) {
    const hint = `Name one: ao start --agent ${registered.choices[0]}`;
    throw new AoError({ code: "usage", message: "no agent was chosen", hint });
  }
  return client.call("POST /api/projects", { input: { ...input, agent } });
}

/** Reports what was registered and written, and what a person should know about it. */
export function reportRegistered(registered: AddedProjects): void {
  for (const project of registered.data) print(`project ${project.id}: ${project.path}`);
  const { created } = registered;
  if (created !== null) print(describeCreated(created, registered.data[0]?.id ?? ""));
  for (const text of new Set(registered.notes)) note(`note: ${text}`);
}

/** What was decided for a new project, so that nobody has to look it up in the file. */
export function describeCreated(created: CreatedConfig, projectId: string): string {
  const wrote = `wrote ${created.file}`;
  if (created.agent === null) return wrote;
  const found = `agent: ${created.agent} (found on PATH)`;
  if (created.permissions === null) {
    const set = `ao config set projects.${projectId}.agentConfig '{ permissions: all }'`;
    return `${wrote}\n${found}; it cannot ask before it acts, so it needs your consent: ${set}${describeSandbox(created, projectId)}`;
  }
  return `${wrote}\n${found}; edits allowed${created.asks ? ", other commands ask" : ""}${describeSandbox(created, projectId)}`;
}

function describeSandbox({ sandbox }: CreatedConfig, projectId: string): string {
  if (sandbox === null) return "";
  const off = `ao config set projects.${projectId}.agentConfig.sandbox none`;
  return `\nsandbox: ${sandbox}, so it writes to its worktree and little else; to turn it off: ${off}`;
}
