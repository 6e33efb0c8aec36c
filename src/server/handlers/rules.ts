import type { RULES_CALLS } from "../../protocol/calls/rules.ts";
import type { Actions } from "../actions.ts";
import type { Handlers } from "../handler.ts";
import { replayLog } from "../replay.ts";
import { testReactions } from "../test-reactions.ts";

/** What rules did and would do. */
export function createRulesHandlers(actions: Actions): Handlers<keyof typeof RULES_CALLS> {
  return {
    "POST /api/replay": ({ body }) => replayLog(actions, body, Date.now()),
    "POST /api/reactions/test": ({ body }) => testReactions(actions, body, Date.now()),
  };
}
