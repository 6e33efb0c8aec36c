import { z } from "zod";
import { AoError } from "../../core/errors.ts";
import type { Finding } from "../../ports/finding.ts";
import type { Host } from "../../ports/host.ts";
import type { GithubClient } from "./client.ts";
import { findToken } from "./token.ts";

const Repository = z.object({
  full_name: z.string(),
  private: z.boolean().nullish(),
  permissions: z.object({ push: z.boolean().nullish() }).nullish(),
});

/**
 * Which token is used, and what it lacks. A classic token lists its scopes; a fine-grained one shows its permissions.
 */
export async function examineAccess(
  host: Host,
  client: GithubClient,
  repository: { readonly owner: string; readonly repo: string },
): Promise<Finding> {
  const name = `${repository.owner}/${repository.repo}`;
  const token = await findToken(host, client.address);
  if (token === null) {
    const fix = `Set GITHUB_TOKEN, or run \`gh auth login --hostname ${client.address.host}\`, and run \`ao start\`.`;
    return { state: "fail", text: `no token for ${client.address.host}`, fix };
  }
  try {
    const call = { route: "GET /repos/{owner}/{repo}", parameters: repository, answer: Repository };
    const { data, headers } = await client.inspect(call);
    const lacks = lackingScopes(headers["x-oauth-scopes"], data.private === true);
    if (lacks !== null) {
      const text = `${data.full_name}: the token of ${token.source} lacks the scope ${lacks}`;
      return {
        state: "warn",
        text,
        fix: `Create a token with the scope ${lacks}: ${client.address.web}/settings/tokens`,
      };
    }
    if (data.permissions?.push === false) {
      const text = `${data.full_name}: the token of ${token.source} may read but not write`;
      return { state: "warn", text, fix: "Use a token of an account with write access." };
    }
    if (data.full_name.toLowerCase() !== name.toLowerCase()) {
      const fix = `Set repo to ${data.full_name}: ${client.address.host} may give the old name to somebody else.`;
      return { state: "warn", text: `${name} was renamed to ${data.full_name}`, fix };
    }
    return { state: "ok", text: `${data.full_name}, token of ${token.source}`, fix: null };
  } catch (error) {
    if (!(error instanceof AoError)) throw error;
    return { state: "fail", text: `${name}: ${error.message} (token of ${token.source})`, fix: error.hint ?? null };
  }
}

function lackingScopes(written: string | undefined, isPrivate: boolean): string | null {
  const scopes = (written ?? "").split(",").flatMap((scope) => scope.trim() || []);
  if (written === undefined || scopes.includes("repo")) return null;
  if (isPrivate) return "repo";
  return scopes.includes("public_repo") ? null : "public_repo";
}
