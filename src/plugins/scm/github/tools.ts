import type { RemoteTools } from "../../../providers/git/scm/remote-repository.ts";
import type { GithubRepository } from "../../../providers/github/address.ts";
import type { GithubClient } from "../../../providers/github/client.ts";

/** What every operation of this plugin needs. */
export interface GithubTools extends RemoteTools {
  readonly client: GithubClient;
  /** Says what the project's rules have to say; another App where one is set up for that. */
  readonly reviewer: GithubClient;
  readonly repository: GithubRepository;
}
