import type { ChangeEvent } from "../core/change/events.ts";
import { describeQueue } from "../core/change/forge-queue.ts";
import type { CheckState } from "../core/change/state.ts";
import type { CommandEvent } from "../core/command/command-run.ts";
import type { EventOf } from "../core/event.ts";
import { shortCommit } from "../core/hash.ts";
import type { IntentEvent } from "../core/intent.ts";
import { describeRejection } from "../core/merge/blockers.ts";
import type { ProblemEvent } from "../core/reaction/problem.ts";
import type { UntrustedEvent } from "../core/reaction/untrusted.ts";
import { nameParent } from "../core/stack/parent.ts";
import { excerpt } from "../core/text.ts";
import type { EventTexts } from "./event-texts.ts";

/** How a check ended, after its name. */
export const ENDED: Readonly<Record<Exclude<CheckState, "queued" | "running">, string>> = {
  passed: "passed",
  failed: "failed",
  "timed-out": "timed out",
  "setup-failed": "could not be set up",
  cancelled: "cancelled",
  unknown: "ended with unknown result",
};

const VERDICTS = {
  approve: "approved",
  "request-changes": "requested changes",
  comment: "commented",
} as const;

/** The texts of a pull request's own events. */
export const CHANGE_TEXTS: EventTexts<
  Exclude<ChangeEvent, ProblemEvent | CommandEvent | UntrustedEvent | IntentEvent>["type"]
> = {
  "change.opened": ({ number, by, title, stackedOn }) =>
    `pull request #${number} opened by ${by}${stackedOn === undefined ? "" : ` on ${nameParent(stackedOn)}`}: ${title}`,
  "change.reopened": ({ by }) => `reopened by ${by}`,
  "change.transfer-requested": ({ by }) => `${by} asked to publish it on the forge`,
  "change.transfer-failed": ({ reason }) => `not published on the forge: ${reason}`,
  "change.transferred": ({ number, url }) =>
    `published on the forge as #${number}${url === undefined ? "" : `: ${url}`}`,
  "change.published": ({ head }) => `${shortCommit(head)} pushed to the forge`,
  "change.publish-failed": ({ head, reason }) => `${shortCommit(head)} not pushed: ${reason}`,
  "change.diverged": ({ head }) => `somebody else pushed ${shortCommit(head)}`,
  "change.observed": ({ head, blocked }) =>
    `seen on the forge at ${shortCommit(head)}${blocked === null ? "" : `: ${blocked}`}`,
  "change.write-queued": ({ write }) => `sending to the forge: ${write.kind}`,
  "change.write-held": ({ reason }) => `not sent to the forge yet: ${reason}`,
  "change.write-settled": ({ reason }) => (reason === null ? "sent to the forge" : `not sent to the forge: ${reason}`),
  "change.stacked": ({ on }) => describeStack(on),
  "change.retargeted": ({ base, by, landed }) =>
    landed === undefined ? `${by} changed the base to ${base}` : `#${landed.number} is merged: the base is ${base} now`,
  "change.updated": ({ head }) => `branch moved to ${shortCommit(head)}`,
  "change.archived": () => "archived",
  "change.unarchived": () => "back from the archive",
  "change.closed": ({ by, reason }) => `closed by ${by}: ${reason}`,
  "change.tried": describeTry,
  "change.merged": ({ commit }) => `merged as ${shortCommit(commit)}`,
  "check.started": ({ name, head, attempt }) =>
    `check \`${name}\` started on ${shortCommit(head)}${attempt === 1 ? "" : ` (attempt ${attempt})`}`,
  "check.finished": describeCheck,
  "check.rerun-requested": ({ by, name }) => `${by} re-ran check \`${name}\``,
  "check.attributed": describeCause,
  "review.given": describeReview,
  "review.dismissed": () => "review dismissed",
  "review.requested": ({ reviewer, head }) => `asked ${reviewer} for another review of ${shortCommit(head)}`,
  "thread.replied": ({ author, text }) => `${author} replied: "${excerpt(text)}"`,
  "thread.resolved": ({ by, threadId }) => `${by} resolved thread ${threadId}`,
  "thread.reopened": ({ by, threadId }) => `${by} reopened thread ${threadId}`,
  "label.added": ({ by, label }) => `${by} added label ${label}`,
  "label.removed": ({ by, label }) => `${by} removed label ${label}`,
  "merge.requested": ({ by, head, strategy, override }) =>
    `${by} requested the merge of ${shortCommit(head)} (${strategy})${override === undefined ? "" : ` against the rules: ${override}`}`,
  "merge.held": ({ reason, files }) => `merge waiting: ${[reason, ...files.slice(0, 5)].join(", ")}`,
  "merge.released": () => "quiet hours no longer hold the merge",
  "merge.queued": (place) => describeQueue(place),
  "merge.dequeued": ({ name, reason }) => `removed from ${name}: ${reason}`,
  "merge.refused": ({ reason }) => `merge failed: ${reason}`,
  "merge.rejected": (rejection) => `sent back by the merge train: ${describeRejection(rejection)}`,
  "merge.cancelled": ({ by }) => `${by} cancelled the merge`,
  "branch.settled": ({ deleted, reason }) => (deleted ? "branch deleted" : `branch kept: ${reason}`),
  "issue.held": ({ reason }) => `issue not closed yet: ${reason}`,
  "issue.settled": ({ closed, reason }) => (closed ? "issue closed" : `issue left open: ${reason}`),
};

function describeStack(on: EventOf<"change.stacked">["on"]): string {
  if (on.gone !== undefined) return on.gone;
  return `on ${nameParent(on)}${on.head === null ? "" : ` at ${shortCommit(on.head)}`}`;
}

function describeTry({ kind, baseHead, reason, files }: EventOf<"change.tried">): string {
  if (kind === "clean") return `merges cleanly with ${shortCommit(baseHead)}`;
  if (kind === "unknown") return `mergeability unknown: ${reason ?? "no reason given"}`;
  return `conflicts with ${shortCommit(baseHead)} in ${files.slice(0, 5).join(", ")}`;
}

function describeCheck({ name, state, code, head, tookMs }: EventOf<"check.finished">): string {
  const exit = state === "failed" && code !== null ? ` with exit code ${code}` : "";
  const took = tookMs === null ? "" : ` after ${(tookMs / 1000).toFixed(1)} s`;
  return `check \`${name}\` ${ENDED[state]}${exit} on ${shortCommit(head)}${took}`;
}

function describeCause({ name, cause, base, isFixedOnBase }: EventOf<"check.attributed">): string {
  switch (cause) {
    case "branch":
      if (isFixedOnBase === true) return `check \`${name}\` passes on the base since ${shortCommit(base ?? "")}`;
      return `check \`${name}\` fails because of this pull request${base === null ? "" : `: it passes on ${shortCommit(base)}`}`;
    case "base":
      return `check \`${name}\` fails on the base too (${shortCommit(base ?? "")}): agent not woken`;
    case "optional":
      return `check \`${name}\` is optional: agent not woken`;
    case "flaky":
      return `check \`${name}\` is flaky, it passed when re-run: agent not woken`;
  }
}

function describeReview({ author, verdict, body, threads }: EventOf<"review.given">): string {
  const words = body ?? threads[0]?.text ?? null;
  return `${author} ${VERDICTS[verdict]}${words === null ? "" : `: "${excerpt(words)}"`}`;
}
