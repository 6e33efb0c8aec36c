import { PLAIN_RULE } from "../core/policy.ts";
import type { ReactionConfig } from "./config.ts";
import { FIGURES } from "./figures.ts";

const BASE: ReactionConfig = { ...PLAIN_RULE, retries: FIGURES.retries, priority: null };

const AFTER_A_WHILE = { kind: "duration", ms: FIGURES.escalateAfterMs } as const;

/** What happens if the file says nothing. It never merges: that needs a person's approval. */
export const DEFAULT_REACTIONS: Readonly<Record<string, ReactionConfig>> = {
  "ci-failed": { ...BASE, action: "send-to-agent" },
  "changes-requested": { ...BASE, action: "send-to-agent", escalateAfter: AFTER_A_WHILE },
  "review-commented": { ...BASE, action: "send-to-agent", escalateAfter: AFTER_A_WHILE },
  "bot-commented": { ...BASE, action: "send-to-agent", escalateAfter: AFTER_A_WHILE },
  "merge-conflict": { ...BASE, action: "send-to-agent" },
  "approved-and-green": { ...BASE, auto: false, priority: "action" },
  // One reminder; an agent that does not commit then will not after a second one.
  uncommitted: { ...BASE, action: "send-to-agent", retries: 1, priority: "action" },
  "agent-idle": { ...BASE, priority: "info", thresholdMs: FIGURES.agentIdleMs },
  "agent-stuck": { ...BASE, priority: "urgent", thresholdMs: FIGURES.agentStuckMs },
  "agent-needs-input": { ...BASE, priority: "urgent" },
  "agent-exited": { ...BASE, priority: "urgent" },
  "rate-limited": { ...BASE, priority: "warning" },
  "budget-exceeded": { ...BASE, priority: "urgent" },
  "main-broken": { ...BASE, priority: "urgent" },
  "all-complete": { ...BASE, priority: "info" },
};

/** The defaults of a reaction that has none of its own. */
export const PLAIN_REACTION: ReactionConfig = BASE;
