import { z } from "zod";
import { MERGE_STRATEGIES } from "../../core/merge/strategy.ts";
import { REACTION_ACTIONS } from "../../core/policy.ts";
import { REACTION_KEYS } from "../../core/reaction/reaction-keys.ts";
import { FIGURES } from "../figures.ts";
import { key, spellings } from "./key.ts";
import { canonicalReaction, REACTION_ALIASES } from "./reaction-key.ts";
import { CountOrDuration, Duration } from "./scalar.ts";

const Priority = z.enum(["urgent", "action", "warning", "info"]);

const Reaction = z
  .strictObject({
    auto: key(z.boolean(), "Act automatically; false: notify a person instead.", true),
    action: key(z.enum([...REACTION_ACTIONS, "auto-merge"]), "What to do (auto-merge means merge)."),
    condition: key(
      z.string(),
      "Act only while this CEL expression over session, pr, checks, review, task and event is true.",
    ),
    message: key(z.string(), "Template of the message or comment, such as `CI failed: {{errors}}`."),
    retries: key(z.int().min(0), "Maximum number of messages, or of runs of another action.", FIGURES.retries),
    escalateAfter: key(
      CountOrDuration,
      "Notify a person after this many messages (2) or this long (30m); otherwise when the retries are used up.",
    ),
    priority: key(Priority, "Priority of the notification."),
    threshold: key(Duration, "How long the condition must last (agent-idle, agent-stuck)."),
    strategy: key(z.enum(MERGE_STRATEGIES), "How to merge."),
    deleteAfter: key(z.boolean(), "Delete the branch after the merge.", false),
    requireApprovalAfter: key(z.int().min(0), "Messages after which each further one waits in the inbox for a person."),
    label: key(z.string().min(1), "Label to add, for the action label."),
    run: key(
      z.string().min(1),
      "Shell command, for the action run; AO_EVENT, AO_SESSION and AO_PULL_REQUEST say what happened.",
    ),
  })
  .meta({ id: "Reaction" });

const WHAT: Readonly<Record<(typeof REACTION_KEYS)[number], string>> = {
  "ci-failed": "A check failed because of this branch.",
  "changes-requested": "A reviewer asked for changes.",
  "review-commented": "A reviewer commented.",
  "bot-commented": "A review bot commented.",
  "merge-conflict": "The branch conflicts with its base.",
  "approved-and-green": "Approved, and every required check passed.",
  "label-added": "A label was added.",
  "label-removed": "A label was removed.",
  "pr-opened": "A pull request was opened.",
  "pr-closed": "A pull request was closed without a merge.",
  "pr-merged": "A pull request was merged.",
  uncommitted: "A turn ended with changed files and no commit.",
  "agent-idle": "The agent has been idle for `threshold`.",
  "agent-stuck": "The agent has shown no progress for `threshold`.",
  "agent-needs-input": "The agent waits for an answer.",
  "agent-exited": "The agent's process ended.",
  "rate-limited": "The vendor's rate limit was reached.",
  "budget-exceeded": "A money limit was reached.",
  collision: "The work of two agents conflicts; both get a message.",
  "main-moved": "The work of an agent without a pull request conflicts with the newest base.",
  "main-broken": "The default branch fails after a merge.",
  "all-complete": "Nothing is left to do.",
};

type ReactionShape = Record<(typeof REACTION_KEYS)[number], z.ZodOptional<typeof Reaction>>;

function reactionShape(): ReactionShape {
  const shape: Record<string, z.ZodOptional<typeof Reaction>> = {};
  for (const name of REACTION_KEYS) shape[name] = Reaction.optional().describe(WHAT[name]);
  for (const alias of Object.keys(REACTION_ALIASES)) {
    const schema = Reaction.optional().describe(`Another spelling of ${canonicalReaction(alias)}.`);
    spellings.add(schema, { of: canonicalReaction(alias) });
    shape[alias] = schema;
  }
  return shape as ReactionShape;
}

/**
 * Reactions by name; any event type is allowed too. A separate rule reports other names, because zod skips refinements
 * of an invalid map.
 */
export const Reactions = z.object(reactionShape()).catchall(Reaction).meta({ id: "Reactions" });
