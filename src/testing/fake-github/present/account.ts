import type { Account } from "../model.ts";
import type { World } from "../world.ts";

/** The URL of the REST API, laid out as on GitHub Enterprise. */
export function apiOf(world: World): string {
  return `${world.url}/api/v3`;
}

/** A time in GitHub's format: whole seconds. */
export function at(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, "Z");
}

export function atOrNull(ms: number | null): string | null {
  return ms === null ? null : at(ms);
}

/** A user or bot as embedded in other answers. */
export function presentAccount(world: World, account: Account) {
  const url = `${apiOf(world)}/users/${account.login}`;
  return {
    login: account.login,
    id: account.id,
    node_id: `U_${account.id}`,
    avatar_url: `${world.url}/avatars/${account.id}`,
    gravatar_id: "",
    url,
    html_url: `${world.url}/${account.login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: account.type,
    site_admin: false,
  };
}

/** Someone's association with a repository. */
export function associationOf({ isOutsider }: Account): "MEMBER" | "NONE" {
  return isOutsider === true ? "NONE" : "MEMBER";
}
