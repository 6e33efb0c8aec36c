import { sessionToken } from "../auth/tokens.ts";
import type { ProjectConfig } from "../config/config.ts";
import { hasPassword, pickEnvironment } from "../core/environment.ts";
import type { CallerShell, SessionState } from "../core/session/state.ts";
import { looksSecret } from "../platform/redact.ts";
import type { Host } from "../ports/host.ts";
import { variablesOf } from "./find-agents.ts";

export interface EnvironmentSource {
  readonly host: Host;
  readonly home: string;
  /** Variables of the shell that created the session, over the daemon's own. */
  readonly shell: CallerShell | undefined;
  readonly config: ProjectConfig | undefined;
  /** Can the user commit in this project? */
  readonly hasIdentity: () => Promise<boolean>;
  /** The secret for the session's own token. */
  readonly secret: string;
}

/**
 * The whole environment of an agent: what every program gets, what its plugin declares, what the project and `ao` add.
 */
export async function sessionEnvironment(
  session: SessionState,
  source: EnvironmentSource,
): Promise<Record<string, string>> {
  const environment = {
    ...pickFor(session.agent.plugin, source.host.env),
    ...projectEnvironment(source),
  };
  return {
    ...environment,
    ...(await identityOf(session, source, environment)),
    AO_HOME: source.home,
    AO_SESSION: session.id,
    AO_PROJECT: session.projectId,
    AO_TASK: session.taskKey,
    AO_TOKEN: sessionToken(source.secret, session.id),
  };
}

/** The environment of a project's programs: the listed variables of the daemon's environment, and the project's own. */
export function projectEnvironment(
  source: Pick<EnvironmentSource, "host" | "shell" | "config">,
): Record<string, string> {
  return { ...pickEnvironment({ ...source.host.env, ...source.shell }), ...source.config?.env };
}

// The plugin passes its own secrets to its program itself.
function pickFor(agent: string, env: Host["env"]): Record<string, string> {
  const wanted = variablesOf(agent);
  const picked: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || looksSecret(name) || hasPassword(value)) continue;
    if (wanted.some((one) => (one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : name === one))) {
      picked[name] = value;
    }
  }
  return picked;
}

async function identityOf(
  session: SessionState,
  source: EnvironmentSource,
  environment: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const wanted = source.config?.gitIdentity ?? "user";
  if (typeof wanted === "object") return asVariables(wanted.name, wanted.email);
  const agent = asVariables(`${session.agent.plugin} (ao)`, `${session.id}@ao.invalid`);
  if (wanted === "agent") return agent;
  if (environment["GIT_AUTHOR_EMAIL"] !== undefined) return {};
  // A machine without a git identity could not commit at all; then the agent uses its own.
  return (await source.hasIdentity()) ? {} : agent;
}

function asVariables(name: string, email: string): Record<string, string> {
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
}
