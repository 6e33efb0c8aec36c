import type { Host } from "../../ports/host.ts";
import type { CheckoutConfig } from "./config.ts";
import type { Git } from "./git.ts";
import type { Lane } from "./lane.ts";

/** What every operation of this plugin is given. */
export interface Tools {
  readonly host: Host;
  readonly git: Git;
  /** Serializes changes to one repository's list of worktrees and its exclude file. */
  readonly lane: Lane;
  readonly config: CheckoutConfig;
  /** Where the repository of a checkout is read from, when it is not the checkout's own. */
  readonly sourceOf?: (folder: string) => Promise<string>;
}
