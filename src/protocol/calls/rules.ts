import { ReactionsTestBody, ReplayBody } from "../bodies/rules.ts";
import { RehearsalView } from "../views/rehearsal.ts";
import { ReplayView } from "../views/replay.ts";
import { type CallTable, listOf } from "./call.ts";

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
  "POST /api/reactions/test": {
    ...common,
    summary: "Show what the rules would do about made-up events; sends, merges and changes nothing.",
    errors: ["project-unknown", "session-unknown", "session-ambiguous", "config-invalid", "usage", "conflict"],
    body: ReactionsTestBody,
    answer: listOf(RehearsalView),
  },
} as const satisfies CallTable;
