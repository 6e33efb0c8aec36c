import type { Host } from "../../../ports/host.ts";
import type { Git } from "../../../providers/git/git.ts";

/** What every operation of this plugin is given. */
export interface ScmTools {
  readonly host: Host;
  readonly git: Git;
  /** AO_HOME, where prepared dependencies are kept. */
  readonly home: string;
}
