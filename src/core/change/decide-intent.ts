import { decideCommandOutcome } from "../command/react-commands.ts";
import { type Emitted, onChange, onProject, onSession } from "../event.ts";
import { type ChangeSpec, describeFailure, type IntentOutcome, type IntentSpec } from "../intent.ts";
import { proveMerge } from "../merge/prove-merge.ts";
import { baseHeadOf } from "../stack/base.ts";
import { endLost } from "../train/decide.ts";
import type { World } from "../world.ts";
import type { ChangeEvent } from "./events.ts";
import { describeForeign } from "./forge-problems.ts";
import type { ChangeSize, ChangeState } from "./state.ts";
import { decideTransferred } from "./transfer.ts";

/** A merge that must wait is retried after this time, then after twice that, up to the maximum. */
const HOLD_MS = 2000;
const MAX_HOLD_MS = 60_000;

/** The same for a push, and for other writes to a forge or tracker that failed. */
const PUSH_MS = 5000;
const MAX_PUSH_MS = 10 * 60_000;

/** What the start of an effect means for a change. */
export function decideChangeStarting(spec: ChangeSpec): readonly Emitted[] {
  if (spec.kind !== "run-check") return [];
  const { changeKey, check: name, head, attempt } = spec;
  return onChange(changeKey, { type: "check.started", name, head, attempt });
}

/** What the outcome of an effect means for a change, its session and its project. */
export function decideChangeOutcome(
  world: World,
  { spec, outcome }: { readonly spec: ChangeSpec; readonly outcome: IntentOutcome },
  now: number,
): readonly Emitted[] {
  const change = world.change(spec.changeKey);
  if (change === undefined) return [];
  switch (spec.kind) {
    case "run-check":
      return onChange(change.key, checkEnded(spec, outcome));
    case "try-merge": {
      const { head, baseHead } = spec;
      const facts =
        outcome.kind === "merge-tried"
          ? { kind: outcome.result, files: outcome.files.slice(0, 100), reason: outcome.reason }
          : { kind: "unknown" as const, files: [], reason: describeFailure(outcome) };
      const start = outcome.kind === "merge-tried" ? (outcome.startsAfter ?? null) : null;
      const own = start === null ? {} : { startsAfter: start };
      return onChange(change.key, { type: "change.tried", head, baseHead, ...facts, ...sizeOf(spec, outcome), ...own });
    }
    case "transfer-change":
      return decideTransferred(world, change, { spec, outcome });
    case "publish-change":
      return onChange(change.key, published(change, spec.head, { outcome, now }));
    case "write-change":
      return onChange(change.key, writeEnded(change, spec.writeId, { outcome, now }));
    case "run-command":
      return decideCommandOutcome(change, spec, outcome);
    case "merge-change":
      return mergeEnded(world, change, { spec, outcome, now });
    case "close-issue":
      return onChange(change.key, closeEnded(change, outcome, now));
    case "delete-branch":
      return onChange(
        change.key,
        outcome.kind === "branch-settled"
          ? { type: "branch.settled", deleted: outcome.deleted, reason: outcome.reason }
          : { type: "branch.settled", deleted: false, reason: describeFailure(outcome) },
      );
  }
}

interface End {
  readonly outcome: IntentOutcome;
  readonly now: number;
}

function writeEnded(change: ChangeState, id: string, { outcome, now }: End): ChangeEvent {
  if (outcome.kind === "effect-held") {
    const write = change.forge?.writes.find((one) => one.id === id);
    return { type: "change.write-held", id, ...pauseFor(outcome, write?.held?.count ?? 0, now) };
  }
  const reason = outcome.kind === "change-written" ? null : describeFailure(outcome);
  return { type: "change.write-settled", id, reason };
}

function closeEnded(change: ChangeState, outcome: IntentOutcome, now: number): ChangeEvent {
  if (outcome.kind === "effect-held") {
    return { type: "issue.held", ...pauseFor(outcome, change.issueHeld?.count ?? 0, now) };
  }
  return outcome.kind === "issue-settled"
    ? { type: "issue.settled", closed: outcome.closed, reason: outcome.reason }
    : { type: "issue.settled", closed: false, reason: describeFailure(outcome) };
}

function pauseFor(
  { reason, retryAfterMs = 0 }: Extract<IntentOutcome, { kind: "effect-held" }>,
  count: number,
  now: number,
): { readonly reason: string; readonly notBefore: number } {
  return { reason, notBefore: now + Math.max(retryAfterMs, Math.min(MAX_PUSH_MS, PUSH_MS * 2 ** count)) };
}

// An event stays short: a change of that many files needs a person anyway.
const MAX_PATHS = 200;

function sizeOf(
  { measure = false }: Extract<IntentSpec, { kind: "try-merge" }>,
  outcome: IntentOutcome,
): { readonly size?: ChangeSize | null } {
  if (!measure) return {};
  const size = outcome.kind === "merge-tried" ? (outcome.size ?? null) : null;
  return { size: size === null ? null : { ...size, paths: size.paths.slice(0, MAX_PATHS) } };
}

function published(change: ChangeState, head: string, { outcome, now }: End): ChangeEvent {
  if (outcome.kind === "change-published") return { type: "change.published", head };
  const count = change.forge?.failure?.head === head ? change.forge.failure.count : 0;
  const isForeign = outcome.kind === "change-diverged";
  const reason = isForeign ? describeForeign(change, outcome.head) : describeFailure(outcome);
  const notBefore = now + Math.min(MAX_PUSH_MS, PUSH_MS * 2 ** count);
  return { type: "change.publish-failed", head, reason, notBefore };
}

function checkEnded(spec: Extract<IntentSpec, { kind: "run-check" }>, outcome: IntentOutcome): ChangeEvent {
  const { check: name, head, attempt } = spec;
  if (outcome.kind !== "check-ended") {
    const log = { inline: describeFailure(outcome) };
    return {
      type: "check.finished",
      name,
      head,
      attempt,
      state: "unknown",
      code: null,
      log,
      fingerprint: "",
      tookMs: null,
    };
  }
  const { kind: _, ...facts } = outcome;
  return { type: "check.finished", name, head, attempt, ...facts };
}

type MergeSpec = Extract<IntentSpec, { readonly kind: "merge-change" }>;

function mergeEnded(
  world: World,
  change: ChangeState,
  { spec, outcome, now }: End & { readonly spec: MergeSpec },
): readonly Emitted[] {
  const { head } = spec;
  // The request that it belongs to ended with the newer commit, which may have a request of its own.
  const isOld = head !== change.head;
  switch (outcome.kind) {
    case "merged": {
      const { commit, baseBefore } = outcome;
      const proof = proveMerge(world, change, { commit, now });
      const proven = proof === null ? {} : { proof };
      return [
        ...onChange(change.key, { type: "change.merged", commit, baseBefore, head, ...proven }),
        ...onProject(change.projectId, { type: "project.base-moved", head: commit }),
      ];
    }
    case "merge-waits":
      if (isOld) return [];
      return onChange(change.key, {
        type: "merge.held",
        reason: outcome.reason,
        files: outcome.files.slice(0, 50),
        notBefore:
          now +
          Math.max(outcome.retryAfterMs ?? 0, Math.min(MAX_HOLD_MS, HOLD_MS * 2 ** (change.mergeRequest?.holds ?? 0))),
      });
    case "merge-queued": {
      if (isOld) return [];
      const { kind: _, ...place } = outcome;
      return onChange(change.key, { type: "merge.queued", ...place });
    }
    case "train-lost":
      return endLost(world.project(change.projectId), spec.exact?.commit ?? "");
    case "merge-outdated":
      return whatIsThere(world, change, { spec, outcome });
    default:
      return onChange(change.key, { type: "merge.refused", reason: describeFailure(outcome), head });
  }
}

// Branch or base moved meanwhile: the current state is recorded, and the rest follows from it.
function whatIsThere(
  world: World,
  change: ChangeState,
  { spec, outcome }: { readonly spec: MergeSpec; readonly outcome: Extract<IntentOutcome, { kind: "merge-outdated" }> },
): readonly Emitted[] {
  const { facts, reason } = outcome;
  const builtOn = spec.exact?.base;
  const isNews = facts !== null && (facts.head !== change.head || facts.baseHead !== baseOf(world, change));
  // Something else noticed the newer base first, and the train already builds on it.
  if (!isNews && facts !== null && builtOn !== undefined && builtOn !== facts.baseHead) return [];
  if (!isNews) return onChange(change.key, { type: "merge.refused", reason, head: spec.head });
  const { head, baseHead, ahead } = facts;
  const moved = onProject(change.projectId, { type: "project.base-moved", head: baseHead });
  const session = change.sessionId === null ? undefined : world.session(change.sessionId);
  if (session === undefined) return [...moved, ...onChange(change.key, { type: "change.updated", head })];
  const turn = session.branchSeen?.turn ?? session.turns;
  return [...moved, ...onSession(session.id, { type: "branch.seen", turn, head, ahead })];
}

function baseOf(world: World, change: ChangeState): string | null {
  return baseHeadOf(change, world.project(change.projectId));
}
