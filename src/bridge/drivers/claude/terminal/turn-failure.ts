import type { TurnEnd } from "../../../driver.ts";
import { withModelHint } from "../../../kit/model-hint.ts";
import { NO_LOGIN_FIX } from "../turn-end.ts";
import type { HookEvent } from "./hook-event.ts";

/** How a turn failed; the program's own words for it are in what it said last. */
export function readFailure(event: HookEvent): TurnEnd {
  const words = event.last_assistant_message || event.error_details || event.error;
  const reason = words.trim().split("\n")[0] ?? "";
  switch (event.error) {
    case "rate_limit":
      return { kind: "limited", until: null, reason };
    case "authentication_failed":
      return { kind: "failed", reason: `Claude Code is not logged in (${reason}). ${NO_LOGIN_FIX}` };
    default:
      return { kind: "failed", reason: withModelHint(`Claude Code failed: ${reason}`) };
  }
}
