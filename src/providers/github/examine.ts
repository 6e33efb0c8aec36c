import { z } from "zod";
import { AoError } from "../../core/errors.ts";
import type { Finding } from "../../ports/finding.ts";
import type { Host } from "../../ports/host.ts";
import type { GithubRepository } from "./address.ts";
import type { GithubClient } from "./client.ts";
import { type FoundToken, findToken } from "./token.ts";

const Repository = z.object({
  full_name: z.string(),
  private: z.boolean().nullish(),
  permissions: z.object({ push: z.boolean().nullish() }).nullish(),
});

/** Which token is used, and what it lacks. A classic token lists its scopes; a fine-grained one shows its permissions. */
export async function examineAccess(host: Host, client: GithubClient, repository: GithubRepository): Promise<Finding> {
  const name = `${repository.owner}/${repository.repo}`;
  let token: FoundToken | null = null;
  try {
    token = await findToken(host, { address: client.address, repository });
    if (token === null) {
      const fix = `Set GITHUB_TOKEN, or run \`gh auth login --hostname ${client.address.host}\`, and run \`ao start\`.`;
      return { state: "fail", text: `no token for ${client.address.host}`, fix };
    }
    const call = { route: "GET /repos/{owner}/{repo}", parameters: { ...repository }, answer: Repository };
    const { data, headers } = await client.inspect(call);
    const lack = findLack(client, token, { data, scopes: headers["x-oauth-scopes"] });
    if (lack !== null) return lack;
    if (data.full_name.toLowerCase() !== name.toLowerCase()) {
      const fix = `Set repo to ${data.full_name}: ${client.address.host} may give the old name to somebody else.`;
      return { state: "warn", text: `${name} was renamed to ${data.full_name}`, fix };
    }
    return { state: "ok", text: `${data.full_name}, token of ${token.source}`, fix: null };
  } catch (error) {
    if (!(error instanceof AoError)) throw error;
    const of = token === null ? "" : ` (token of ${token.source})`;
    return { state: "fail", text: `${name}: ${error.message}${of}`, fix: error.hint ?? null };
  }
}

interface Seen {
  readonly data: z.infer<typeof Repository>;
  readonly scopes: string | undefined;
}

/** What the token may not do, although `ao` has to; null: nothing. */
function findLack({ address }: GithubClient, token: FoundToken, { data, scopes }: Seen): Finding | null {
  const warn = (text: string, fix: string): Finding => ({ state: "warn", text: `${data.full_name}: ${text}`, fix });
  // The fields of a repository tell what an account may do, not what an App may.
  if (token.permissions !== undefined) {
    const lacks = lackingPermissions(token.permissions);
    const fix = `Grant them in the App's settings, then accept them for the installation: ${address.web}/settings/apps`;
    return lacks.length === 0 ? null : warn(`${token.source} lacks the permissions ${lacks.join(", ")}`, fix);
  }
  const lacks = lackingScopes(scopes, data.private === true);
  if (lacks !== null) {
    const fix = `Create a token with the scope ${lacks}: ${address.web}/settings/tokens`;
    return warn(`the token of ${token.source} lacks the scope ${lacks}`, fix);
  }
  if (data.permissions?.push !== false) return null;
  return warn(`the token of ${token.source} may read but not write`, "Use a token of an account with write access.");
}

/** What `ao` needs as a GitHub App; `write` includes `read`. */
const PERMISSIONS: Readonly<Record<string, "read" | "write">> = {
  contents: "write",
  pull_requests: "write",
  issues: "write",
  actions: "write",
  checks: "read",
  statuses: "read",
};

function lackingPermissions(granted: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(PERMISSIONS).flatMap(([name, level]) => {
    const has = granted[name];
    return has === level || has === "write" || has === "admin" ? [] : [`${name}: ${level}`];
  });
}

function lackingScopes(written: string | undefined, isPrivate: boolean): string | null {
  const scopes = (written ?? "").split(",").flatMap((scope) => scope.trim() || []);
  if (written === undefined || scopes.includes("repo")) return null;
  if (isPrivate) return "repo";
  return scopes.includes("public_repo") ? null : "public_repo";
}
