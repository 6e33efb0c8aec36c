import type { RemoteTools } from "../../../providers/git/scm/remote-repository.ts";
import type { GitlabClient } from "../../../providers/gitlab/client.ts";

/** What every operation of this plugin needs. */
export interface GitlabTools extends RemoteTools {
  readonly client: GitlabClient;
}
