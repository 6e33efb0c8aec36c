import type { Host } from "../../ports/host.ts";
import type { CheckoutConfig } from "./config.ts";
import type { Git } from "./git.ts";
import type { Lane } from "./lane.ts";

/** What every operation of this plugin needs. */
export interface Tools {
  readonly host: Host;
  readonly git: Git;
  /** Serializes changes to one repository's list of worktrees and its exclude file. */
  readonly lane: Lane;
  readonly config: CheckoutConfig;
}
