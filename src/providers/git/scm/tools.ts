import type { Host } from "../../../ports/host.ts";
import type { ScmProject } from "../../../ports/scm.ts";
import type { Git } from "../git.ts";

/** What every operation of this plugin is given. */
export interface ScmTools {
  readonly host: Host;
  readonly git: Git;
  /** AO_HOME, where prepared dependencies are kept. */
  readonly home: string;
  /** Where the newest commit of a branch is, if not in the branch here; a ref that is not there yet does not count. */
  readonly refFor?: (project: ScmProject, branch: string) => string | null;
}
