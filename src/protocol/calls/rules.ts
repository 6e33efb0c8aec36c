import { ReplayBody } from "../bodies/rules.ts";
import { ReplayView } from "../views/replay.ts";
import type { CallTable } from "./call.ts";

// A configuration can read secrets from the environment, so not every token may try one out.
const common = { tag: "configuration", scope: "admin", changesNothing: true } as const;

export const RULES_CALLS = {
  "POST /api/replay": {
    ...common,
    summary: "Show what the rules did, and what other rules would have done; sends, merges and changes nothing.",
    errors: ["session-unknown", "session-ambiguous", "not-found", "config-invalid"],
    body: ReplayBody,
    answer: ReplayView,
  },
} as const satisfies CallTable;
