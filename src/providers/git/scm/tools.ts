import type { Host } from "../../../ports/host.ts";
import type { ScmProject } from "../../../ports/scm.ts";
import type { Git } from "../git.ts";

/** What every operation of this plugin needs. */
export interface ScmTools {
  readonly host: Host;
  readonly git: Git;
  /** AO_HOME, where prepared dependencies are kept. */
  readonly home: string;
  /** The ref with the newest commit of a branch, if not the local branch; ignored while it does not exist. */
  readonly refFor?: (project: ScmProject, branch: string) => string | null;
}
