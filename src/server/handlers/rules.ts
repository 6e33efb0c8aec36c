import type { CONFIG_CALLS } from "../../protocol/calls/config.ts";
import type { RULES_CALLS } from "../../protocol/calls/rules.ts";
import type { Actions } from "../actions.ts";
import { createDryRuns } from "../dry-run.ts";
import type { Handlers } from "../handler.ts";
import { replayLog } from "../replay.ts";
import { testReactions } from "../test-reactions.ts";

type DryRunCall = Extract<keyof typeof CONFIG_CALLS, "POST /api/config/dry-run">;

/** What rules did and would do. */
export function createRulesHandlers(actions: Actions): Handlers<keyof typeof RULES_CALLS | DryRunCall> {
  const dryRun = createDryRuns(actions);
  return {
    "POST /api/replay": ({ body, signal }) => replayLog(actions, body, { now: Date.now(), signal }),
    "POST /api/reactions/test": ({ body }) => testReactions(actions, body, Date.now()),
    "POST /api/config/dry-run": ({ body, signal }) => dryRun(body, { now: Date.now(), signal }),
  };
}
