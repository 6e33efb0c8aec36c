import { PluginError } from "../../core/errors.ts";
import type { Host } from "../../ports/host.ts";
import type { GithubAddress, GithubRepository } from "./address.ts";
import { dropInstallationToken, findApp, type GithubApp, type GithubRole, installationToken } from "./app.ts";

export const TOKEN_VARIABLES = ["GITHUB_TOKEN", "GH_TOKEN", "GH_ENTERPRISE_TOKEN"] as const;

export interface FoundToken {
  readonly value: string;
  /** Where it comes from, for people: `GITHUB_TOKEN`, `gh auth token`, `GitHub App 1234`. */
  readonly source: string;
  /** Of an App: when another one is needed, and what it may do. */
  readonly until?: number;
  readonly permissions?: Readonly<Record<string, string>>;
}

/** What a token is for; those of Apps are for one repository. */
export interface TokenUse {
  readonly address: GithubAddress;
  readonly repository: GithubRepository;
  /** Default: writer. */
  readonly role?: GithubRole;
}

/** The token for a host: of a GitHub App, from the environment, or from the GitHub CLI if it is signed in; null: none. */
export async function findToken(host: Host, use: TokenUse): Promise<FoundToken | null> {
  const { address, repository } = use;
  const app = appOf(host, use);
  if (app !== null) {
    const token = await installationToken({ host, address, app, repository });
    return { ...token, source: `GitHub App ${app.id}` };
  }
  const names = address.isPublic ? TOKEN_VARIABLES.slice(0, 2) : [...TOKEN_VARIABLES].reverse();
  for (const name of names) {
    const value = host.env[name]?.trim();
    if (value !== undefined && value !== "") return { value, source: name };
  }
  try {
    const args = ["auth", "token", "--hostname", address.host];
    const { stdout } = await host.exec({ program: "gh", args, timeoutMs: 10_000 });
    const value = stdout.trim();
    return value === "" ? null : { value, source: "gh auth token" };
  } catch {
    return null;
  }
}

// Without an App of its own, the reviewer is the writer.
function appOf(host: Host, { role = "writer" }: TokenUse): GithubApp | null {
  return findApp(host, role) ?? findApp(host, "writer");
}

/** What the token is for: the repository if it is an App's, everything if empty. */
export function scopeOf(host: Host, use: TokenUse): string {
  const { owner, repo } = use.repository;
  return appOf(host, use) === null ? "" : `${owner}/${repo}`;
}

/** The App and the account that installed it, whose requests GitHub counts together; empty for a token. */
export function accountOf(host: Host, use: TokenUse): string {
  const app = appOf(host, use);
  return app === null ? "" : `${app.id} ${use.repository.owner.toLowerCase()}`;
}

/** GitHub rejected the token, so the next call gets a new one. */
export function dropToken(host: Host, use: TokenUse): void {
  const app = appOf(host, use);
  if (app !== null) dropInstallationToken({ host, address: use.address, app, repository: use.repository });
}

/** The token, or an error that explains how to provide one. */
export async function requireToken(host: Host, use: TokenUse): Promise<FoundToken> {
  const found = await findToken(host, use);
  if (found !== null) return found;
  const { address } = use;
  throw new PluginError({
    plugin: "github",
    category: "auth",
    message: `There is no token for ${address.host}.`,
    hint: `Set GITHUB_TOKEN or GITHUB_APP_ID, or sign in with \`gh auth login --hostname ${address.host}\`, and run \`ao start\`.`,
  });
}
