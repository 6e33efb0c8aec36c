import { join } from "node:path";
import { chooseCheckSandbox } from "../../core/check-sandbox.ts";
import type { TrustPolicy } from "../../core/policy.ts";
import type { SessionState } from "../../core/session/state.ts";
import type { Host } from "../../ports/host.ts";
import type { EncloseCommand } from "../../ports/workspace.ts";
import type { HomePaths } from "../../protocol/home.ts";
import { encloseRun } from "./enclose.ts";

/**
 * Starts `postCreate` and `preRemove` of a session in its sandbox, with the network that a set-up has; undefined: the session
 * has no sandbox.
 */
export function encloserOf(
  session: SessionState,
  where: {
    readonly host: Host;
    readonly paths: HomePaths;
    readonly projectPath: string;
    readonly trust: TrustPolicy | undefined;
  },
  environmentOf: () => Promise<Readonly<Record<string, string>>>,
): EncloseCommand | undefined {
  const { trust, ...rest } = where;
  const allowed = chooseCheckSandbox("inherit", [session], trust);
  if (allowed === null) return undefined;
  const { writable, setUpNetwork: network } = allowed;
  const config = { ...session.agent.config, sandbox: { plugin: "bubblewrap", network, writable } };
  return async (argv, cwd) => {
    const inside = { ...session, agent: { ...session.agent, config }, workspace: { ...session.workspace, path: cwd } };
    const runDir = join(where.paths.sessions, session.id, "project-command");
    // The folders of the agent's program are not for the project's commands.
    return encloseRun(inside, { ...rest, argv, runDir, environment: await environmentOf() });
  };
}
