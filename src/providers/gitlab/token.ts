import { PluginError } from "../../core/errors.ts";
import type { Host } from "../../ports/host.ts";
import type { GitlabAddress } from "./address.ts";

export const TOKEN_VARIABLES = ["GITLAB_TOKEN", "GITLAB_ACCESS_TOKEN"] as const;

export interface FoundToken {
  readonly value: string;
  /** Where it comes from, for people: `GITLAB_TOKEN`, `glab`. */
  readonly source: string;
}

/**
 * The token for a host: from the environment, else from the GitLab CLI if it is installed and signed in; null: none.
 */
export async function findToken(host: Host, address: GitlabAddress): Promise<FoundToken | null> {
  for (const name of TOKEN_VARIABLES) {
    const value = host.env[name]?.trim();
    if (value !== undefined && value !== "") return { value, source: name };
  }
  try {
    const args = ["config", "get", "token", "--host", address.host];
    const { stdout } = await host.exec({ program: "glab", args, timeoutMs: 10_000 });
    const value = stdout.trim();
    return value === "" ? null : { value, source: "glab" };
  } catch {
    return null;
  }
}

/** The token, or an error that explains how to provide one. */
export async function requireToken(host: Host, address: GitlabAddress): Promise<FoundToken> {
  const found = await findToken(host, address);
  if (found !== null) return found;
  throw new PluginError({
    plugin: "gitlab",
    category: "auth",
    message: `There is no token for ${address.host}.`,
    hint: `Set GITLAB_TOKEN, or sign in with \`glab auth login --hostname ${address.host}\`, and run \`ao start\`.`,
  });
}
