import { sessionToken } from "../auth/tokens.ts";
import type { ProjectConfig } from "../config/config.ts";
import { hasPassword, pickEnvironment } from "../core/environment.ts";
import type { CallerShell, SessionState } from "../core/session/state.ts";
import { looksSecret } from "../platform/redact.ts";
import type { Host } from "../ports/host.ts";
import { variablesOf } from "./find-agents.ts";
import { type GitIdentity, identityAsSettings } from "./git-identity.ts";

export interface EnvironmentSource {
  readonly host: Host;
  readonly home: string;
  /** Variables of the shell that created the session, over the daemon's own. */
  readonly shell: CallerShell | undefined;
  readonly config: ProjectConfig | undefined;
  /** The user's git identity in this project; empty: the user cannot commit. */
  readonly identity: () => Promise<GitIdentity>;
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

// As author and committer where it is not the user's own, and as settings for agents whose commands do not see the rest.
async function identityOf(
  session: SessionState,
  source: EnvironmentSource,
  environment: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const given = await chooseIdentity(session, source, environment);
  const { "user.name": name = "", "user.email": email = "" } = given.settings;
  const variables = given.isOwn
    ? {}
    : { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
  return { ...variables, ...identityAsSettings(given.settings, environment) };
}

async function chooseIdentity(
  session: SessionState,
  { config, identity }: EnvironmentSource,
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly settings: GitIdentity; readonly isOwn: boolean }> {
  const wanted = config?.gitIdentity ?? "user";
  if (typeof wanted === "object") return { settings: asSettings(wanted), isOwn: false };
  const agent = asSettings({ name: `${session.agent.plugin} (ao)`, email: `${session.id}@ao.invalid` });
  if (wanted === "agent") return { settings: agent, isOwn: false };
  const { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email } = environment;
  if (email !== undefined) return { settings: asSettings({ ...(name !== undefined && { name }), email }), isOwn: true };
  const own = await identity();
  // A machine without a git identity could not commit at all; then the agent uses its own.
  const canCommit = ["user.email", "author.email"].some((setting) => own[setting] !== undefined);
  return canCommit ? { settings: own, isOwn: true } : { settings: agent, isOwn: false };
}

function asSettings({ name, email }: { readonly name?: string; readonly email: string }): GitIdentity {
  return { ...(name !== undefined && { "user.name": name }), "user.email": email };
}
