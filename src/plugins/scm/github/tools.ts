import type { RemoteTools } from "../../../providers/git/scm/remote-repository.ts";
import type { GithubClient } from "../../../providers/github/client.ts";

/** What every operation of this plugin needs. */
export interface GithubTools extends RemoteTools {
  readonly client: GithubClient;
  readonly repository: { readonly owner: string; readonly repo: string };
}
