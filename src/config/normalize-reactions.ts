import type { EscalateAfter, ReactionConfig } from "./config.ts";
import { DEFAULT_REACTIONS, PLAIN_REACTION } from "./default-reactions.ts";
import { canonicalReaction } from "./schema/reaction-key.ts";
import { durationMs } from "./schema/scalar.ts";
import type { WrittenConfig } from "./schema.ts";

type WrittenReactions = NonNullable<WrittenConfig["reactions"]>;
type WrittenReaction = NonNullable<WrittenReactions[string]>;
type WrittenOrchestrator = NonNullable<WrittenConfig["orchestrator"]>;
type WrittenHandler = NonNullable<NonNullable<WrittenOrchestrator["reactionHandlers"]>["ciFailure"]>;

/** The reactions of a project: defaults, then the orchestrator's handlers, then global ones, then its own. */
export function normalizeReactions(
  written: WrittenConfig,
  own: WrittenReactions | undefined,
): Readonly<Record<string, ReactionConfig>> {
  const out: Record<string, ReactionConfig> = { ...DEFAULT_REACTIONS };
  for (const layer of [handlerReactions(written.orchestrator), written.reactions ?? {}, own ?? {}]) {
    for (const [key, reaction] of Object.entries(layer)) {
      if (reaction === undefined) continue;
      const name = canonicalReaction(key);
      out[name] = overlay(out[name] ?? PLAIN_REACTION, reaction);
    }
  }
  return out;
}

function overlay(base: ReactionConfig, written: WrittenReaction): ReactionConfig {
  const { action, escalateAfter, threshold } = written;
  return {
    auto: written.auto ?? base.auto,
    action: action === undefined ? base.action : action === "auto-merge" ? "merge" : action,
    condition: written.condition ?? base.condition,
    message: written.message ?? base.message,
    retries: written.retries ?? base.retries,
    escalateAfter: escalateAfter === undefined ? base.escalateAfter : normalizeEscalation(escalateAfter),
    priority: written.priority ?? base.priority,
    thresholdMs: threshold === undefined ? base.thresholdMs : durationMs(threshold),
    strategy: written.strategy ?? base.strategy,
    deleteAfter: written.deleteAfter ?? base.deleteAfter,
    requireApprovalAfter: written.requireApprovalAfter ?? base.requireApprovalAfter ?? null,
    label: written.label ?? base.label ?? null,
    run: written.run ?? base.run ?? null,
  };
}

function normalizeEscalation(written: number | string): EscalateAfter {
  return typeof written === "number"
    ? { kind: "count", count: written }
    : { kind: "duration", ms: durationMs(written) };
}

function handlerReactions(orchestrator: WrittenOrchestrator | undefined): Record<string, WrittenReaction> {
  const handlers = orchestrator?.reactionHandlers ?? orchestrator?.reaction_handlers;
  const out: Record<string, WrittenReaction> = {};
  const ci = handlers?.ciFailure ?? handlers?.ci_failure;
  const review = handlers?.reviewComments ?? handlers?.review_comments;
  const conflict = handlers?.mergeConflict ?? handlers?.merge_conflict;
  if (ci !== undefined) out["ci-failed"] = fromHandler(ci);
  if (conflict !== undefined) out["merge-conflict"] = fromHandler(conflict);
  if (review !== undefined) {
    out["changes-requested"] = fromHandler(review);
    out["review-commented"] = fromHandler(review);
  }
  return out;
}

function fromHandler(handler: WrittenHandler): WrittenReaction {
  return {
    auto: handler.autoRespond ?? handler.auto_respond,
    retries: handler.maxRetries ?? handler.max_retries,
    escalateAfter: handler.escalateAfter ?? handler.escalate_after,
    requireApprovalAfter: handler.requireApprovalAfter ?? handler.require_approval_after,
  };
}
