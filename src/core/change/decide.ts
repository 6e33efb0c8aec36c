import { onChange } from "../event.ts";
import { shortCommit } from "../hash.ts";
import { accept, type ChangeCommand, type CommandOf, type Decision, reject } from "../input.ts";
import { describeBlocker, findBlockers, isOverridable, isTemporary } from "../merge/blockers.ts";
import type { ProjectState } from "../project/state.ts";
import { requireOpenChange, requireSession } from "../require.ts";
import { baseHeadOf } from "../stack/base.ts";
import { decideRetarget } from "../stack/decide.ts";
import type { World } from "../world.ts";
import type { ChangeEvent } from "./events.ts";
import { writesOf } from "./forge-writes.ts";
import { MAX_LABELS, MAX_REPLIES, MAX_REVIEWS, MAX_THREADS } from "./limits.ts";
import { decideOpen } from "./open.ts";
import { bodyThreadOf } from "./review.ts";
import type { ChangeState } from "./state.ts";
import { decideTransfer } from "./transfer.ts";

type ThreadReplied = Extract<ChangeEvent, { readonly type: "thread.replied" }>;

/** What people ask of a pull request. */
export function decideChangeCommand(world: World, command: ChangeCommand): Decision {
  if (command.type === "change.open") {
    return requireSession(world, command.sessionId, (session) => decideOpen(world, session, command));
  }
  return requireOpenChange(world, command.key, (change) => {
    const decision = decideOnChange(world, change, command);
    if (decision.kind === "rejected") return decision;
    return { ...decision, events: [...decision.events, ...writesOf(change, decision.events)] };
  });
}

function decideOnChange(
  world: World,
  change: ChangeState,
  command: Exclude<ChangeCommand, CommandOf<"change.open">>,
): Decision {
  switch (command.type) {
    case "change.review":
      return decideReview(change, command);
    case "change.reply":
    case "change.resolve":
      return decideThread(change, command);
    case "change.label":
      return decideLabel(change, command);
    case "change.recheck":
      return decideRecheck(change, command);
    case "change.merge":
      return decideMerge(change, command, world.project(change.projectId));
    case "change.transfer":
      return decideTransfer(world, change, command);
    case "change.retarget":
      return decideRetarget(world, change, command);
    case "change.cancel-merge":
      return decideCancelMerge(change, command);
    case "change.close":
      return acceptOn(change, { type: "change.closed", by: command.by, reason: command.reason });
  }
}

function decideReview(change: ChangeState, command: CommandOf<"change.review">): Decision {
  if (command.head !== null && command.head !== change.head) {
    return reject(
      "conflict",
      `Pull request #${change.number} has moved to ${shortCommit(change.head)} since you looked at ${shortCommit(command.head)}.`,
      "Look at it again: `ao pr show`.",
    );
  }
  const { verdict, author, reviewId, body, comments } = command;
  // A comment on the whole is also a thread, so that it can be answered and resolved.
  const isTalk = verdict === "comment" && body !== null;
  const threads = [...(isTalk ? [{ path: null, line: null, text: body }] : []), ...comments];
  if (verdict !== "approve" && body === null && comments.length === 0) {
    return reject(
      "usage",
      "A comment or a request for changes needs a text.",
      'For example: ao review S --request-changes "..."',
    );
  }
  if (change.reviews.length >= MAX_REVIEWS || change.threads.length + threads.length > MAX_THREADS) {
    return reject("too-large", `Pull request #${change.number} has too many reviews.`, "Close it and open a new one.");
  }
  return acceptOn(change, {
    type: "review.given",
    id: reviewId,
    author,
    verdict,
    body: isTalk ? null : body,
    head: change.head,
    threads: threads.map((thread, index) => ({
      id: `${reviewId}.${index + 1}`,
      commentId: `${reviewId}.${index + 1}.1`,
      ...thread,
    })),
  });
}

function decideThread(change: ChangeState, command: CommandOf<"change.reply" | "change.resolve">): Decision {
  const thread = change.threads.find(({ id }) => id === command.threadId);
  const review = change.reviews.find(({ id, body }) => body !== null && bodyThreadOf(id) === command.threadId);
  if (thread === undefined && review !== undefined && command.type === "change.reply") {
    return acceptOn(change, { ...replyOf(command, 2), reviewId: review.id });
  }
  if (thread === undefined) {
    const known = change.threads.map(({ id }) => id).slice(-10);
    return reject(
      "not-found",
      `Pull request #${change.number} has no thread ${command.threadId}.`,
      known.length === 0 ? "It has none." : `It has: ${known.join(", ")}.`,
    );
  }
  if (command.type === "change.resolve") {
    if ((thread.resolvedBy !== null) === command.resolved) return accept([]);
    const type = command.resolved ? "thread.resolved" : "thread.reopened";
    return acceptOn(change, { type, threadId: thread.id, by: command.by });
  }
  if (thread.comments.length > MAX_REPLIES) {
    return reject("too-large", `Thread ${thread.id} has too many replies.`, "Begin a new one with `ao review`.");
  }
  return acceptOn(change, replyOf(command, thread.comments.length + 1));
}

function replyOf({ threadId, author, byAgent, text }: CommandOf<"change.reply">, n: number): ThreadReplied {
  return { type: "thread.replied", threadId, commentId: `${threadId}.${n}`, author, byAgent, text };
}

function decideLabel(change: ChangeState, command: CommandOf<"change.label">): Decision {
  const added = [...new Set(command.add)].filter((label) => !change.labels.includes(label));
  if (change.labels.length + added.length > MAX_LABELS) {
    return reject("too-large", `Pull request #${change.number} has too many labels.`, "Remove some first.");
  }
  const removed = [...new Set(command.remove)].filter((label) => change.labels.includes(label));
  return acceptOn(
    change,
    ...added.map((label) => ({ type: "label.added", label, by: command.by }) as const),
    ...removed.map((label) => ({ type: "label.removed", label, by: command.by }) as const),
  );
}

function decideRecheck(change: ChangeState, command: CommandOf<"change.recheck">): Decision {
  const runs = Object.values(change.checks).filter((run) => command.check === null || run.name === command.check);
  const over = runs.filter((run) => run.state !== "queued" && run.state !== "running");
  if (runs.length === 0) {
    const names = Object.keys(change.checks).join(", ") || "none";
    return reject("not-found", `No such check has run on #${change.number}.`, `Checks that ran: ${names}.`);
  }
  const events = over.map(
    ({ name, attempt }) => ({ type: "check.rerun-requested", name, attempt: attempt + 1, by: command.by }) as const,
  );
  return acceptOn(change, ...events);
}

function decideMerge(
  change: ChangeState,
  command: CommandOf<"change.merge">,
  project: ProjectState | undefined,
): Decision {
  const policy = project?.policy ?? null;
  if (project === undefined || policy === null) {
    return reject("conflict", "The project's policy is not known yet.", "Try again in a moment.");
  }
  const blockers = findBlockers(change, policy, baseHeadOf(change, project));
  const { override = null } = command;
  const lasting = blockers.filter((one) => !isTemporary(one) && (override === null || !isOverridable(one)));
  if (lasting.length > 0) {
    const texts = lasting.map((blocker) => describeBlocker(blocker));
    const hint = lasting.some(({ kind }) => kind === "approvals" || kind === "held")
      ? `\`ao review "#${change.number}"\` shows it; \`ao approve "#${change.number}"\` approves it.`
      : `\`ao merge "#${change.number}" --explain\` shows each rule.`;
    const message = `Pull request #${change.number} cannot be merged: ${texts.join("; ")}.`;
    return reject("conflict", message, hint, { blockers: texts });
  }
  const waitsFor = blockers.map((blocker) => describeBlocker(blocker));
  const rule = policy.reactions["approved-and-green"];
  const strategy = command.strategy ?? rule?.strategy ?? "squash";
  const { mergeRequest: known } = change;
  const isSame =
    known?.head === change.head && known.strategy === strategy && known.override === (override ?? undefined);
  const isUnderWay = isSame && known.reason === null;
  // A waiting one is retried at once if someone asks again.
  if (isUnderWay) return accept([], { waitsFor });
  const deleteAfter = rule?.deleteAfter ?? false;
  const request = {
    by: command.by,
    strategy,
    deleteAfter,
    head: change.head,
    ...(override === null ? {} : { override }),
  };
  return accept(onChange(change.key, { type: "merge.requested", ...request }), { waitsFor });
}

function decideCancelMerge(change: ChangeState, command: CommandOf<"change.cancel-merge">): Decision {
  const { mergeRequest, number } = change;
  if (mergeRequest === null) {
    return reject("conflict", `No merge of #${number} is requested.`, `\`ao merge "#${number}"\` requests it.`);
  }
  if (mergeRequest.isUnderWay === true) {
    const hint = `\`ao pr show "#${number}"\` shows how it ends.`;
    return reject("conflict", `#${number} is being merged right now: too late to cancel.`, hint);
  }
  return acceptOn(change, { type: "merge.cancelled", by: command.by });
}

function acceptOn(change: ChangeState, ...events: readonly ChangeEvent[]): Decision {
  return accept(onChange(change.key, ...events), { key: change.key });
}
