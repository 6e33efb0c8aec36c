import { PluginError } from "../../core/errors.ts";
import type { Host } from "../../ports/host.ts";
import type { GithubAddress } from "./address.ts";

export const TOKEN_VARIABLES = ["GITHUB_TOKEN", "GH_TOKEN", "GH_ENTERPRISE_TOKEN"] as const;

export interface FoundToken {
  readonly value: string;
  /** Where it comes from, for people: `GITHUB_TOKEN`, `gh auth token`. */
  readonly source: string;
}

/**
 * The token for a host: from the environment, else from the GitHub CLI if it is installed and signed in; null: none.
 */
export async function findToken(host: Host, address: GithubAddress): Promise<FoundToken | null> {
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

/** The token, or an error that explains how to provide one. */
export async function requireToken(host: Host, address: GithubAddress): Promise<FoundToken> {
  const found = await findToken(host, address);
  if (found !== null) return found;
  throw new PluginError({
    plugin: "github",
    category: "auth",
    message: `There is no token for ${address.host}.`,
    hint: `Set GITHUB_TOKEN, or sign in with \`gh auth login --hostname ${address.host}\`, and run \`ao start\`.`,
  });
}
