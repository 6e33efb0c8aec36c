import { join } from "node:path";
import { forgeOf } from "../config/forge-of.ts";
import { renderInitialConfig } from "../config/generate.ts";
import { CONFIG_FILE_NAME } from "../config/load.ts";
import type { Host } from "../ports/host.ts";
import type { CreatedConfig } from "../protocol/views/project.ts";
import { addExcludes } from "../providers/git/exclude.ts";
import { repositoryLane } from "../providers/git/lane.ts";
import { findCommonDir } from "../providers/git/repository.ts";
import { detectProjectChecks } from "./detect-checks.ts";
import { presetFor } from "./find-agents.ts";
import type { RepositoryFacts } from "./repository-facts.ts";

/** Writes the initial configuration of a project to its root, with the chosen agent. */
export async function writeConfig(
  host: Host,
  facts: RepositoryFacts,
  project: {
    readonly id: string;
    readonly agent: string | null;
    readonly usesForge: boolean;
    /** Why the agent does not run in a sandbox; null: it does. */
    readonly sandboxObstacle: string | null;
  },
): Promise<CreatedConfig> {
  const checks = Object.values(await detectProjectChecks(host, facts.root)).map(({ run }) => run);
  const agent = project.agent === null ? null : presetFor(project.agent, { base: facts.defaultBranch, checks });
  const text = renderInitialConfig({
    projectId: project.id,
    path: ".",
    defaultBranch: facts.defaultBranch,
    forge: facts.remote === null ? null : forgeOf(facts.remote, host.env),
    usesForge: project.usesForge,
    agent: agent === null ? null : { ...agent, sandboxObstacle: project.sandboxObstacle },
  });
  const file = join(facts.root, CONFIG_FILE_NAME);
  await host.fs.writeText(file, text);
  await excludeFromGit(host, facts.root, `/${CONFIG_FILE_NAME}`);
  return {
    file,
    agent: project.agent,
    permissions: agent?.permissions ?? null,
    asks: agent !== null && agent.allow.length > 0,
    sandbox: agent !== null && project.sandboxObstacle === null ? "bubblewrap" : null,
  };
}

// Until the user commits it, the file must not show up as a change.
async function excludeFromGit(host: Host, root: string, line: string): Promise<void> {
  await addExcludes(host.fs, repositoryLane, { commonDir: await findCommonDir(host.fs, root), patterns: [line] });
}
