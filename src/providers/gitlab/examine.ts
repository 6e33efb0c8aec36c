import { z } from "zod";
import { AoError } from "../../core/errors.ts";
import type { Host } from "../../ports/host.ts";
import type { GitlabClient } from "./client.ts";
import { findToken } from "./token.ts";

const Level = z.object({ access_level: z.number() }).nullish();
const Project = z.object({
  path_with_namespace: z.string(),
  permissions: z.object({ project_access: Level, group_access: Level }).nullish(),
});
const Token = z.object({ scopes: z.array(z.string()) });

/** The access level that allows pushing and writing issues; GitLab calls it Developer. */
const DEVELOPER = 30;

/** What `ao doctor` shows about access to a project. */
interface AccessFinding {
  readonly state: "ok" | "warn" | "fail";
  readonly text: string;
  readonly fix: string | null;
}

/** Which token is used, and what it lacks. */
export async function examineAccess(host: Host, client: GitlabClient): Promise<AccessFinding> {
  const { address, project } = client;
  const token = await findToken(host, address);
  if (token === null) {
    const fix = `Set GITLAB_TOKEN, or run \`glab auth login --hostname ${address.host}\`, and run \`ao start\`.`;
    return { state: "fail", text: `no token for ${address.host}`, fix };
  }
  try {
    const found = await client.read({ path: "/projects/:id", answer: Project });
    const name = `${found.path_with_namespace}, token of ${token.source}`;
    if (!(await hasScope(client))) {
      const fix = `Create a token with the scope api: ${address.web}/-/user_settings/personal_access_tokens`;
      return { state: "warn", text: `${name}: it lacks the scope api`, fix };
    }
    const { project_access: own, group_access: group } = found.permissions ?? {};
    const level = Math.max(own?.access_level ?? 0, group?.access_level ?? 0);
    // A token without its own membership, such as an administrator's, has none.
    if (level > 0 && level < DEVELOPER) {
      return { state: "warn", text: `${name}: it may read but not write`, fix: "Use a token of a Developer." };
    }
    return { state: "ok", text: name, fix: null };
  } catch (error) {
    if (!(error instanceof AoError)) throw error;
    return { state: "fail", text: `${project}: ${error.message} (token of ${token.source})`, fix: error.hint ?? null };
  }
}

/** Only personal, project and group tokens can be inspected; others are assumed to be good. */
async function hasScope(client: GitlabClient): Promise<boolean> {
  const found = await client.read({ path: "/personal_access_tokens/self", answer: Token }).catch((error: unknown) => {
    if (error instanceof AoError) return null;
    throw error;
  });
  return found === null || found.scopes.includes("api");
}
