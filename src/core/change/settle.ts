import { settleCauses } from "../cause/settle.ts";
import { type Emitted, onChange } from "../event.ts";
import { shortCommit } from "../hash.ts";
import { isMergeCancelled, mergesAutomatically } from "../merge/auto-merge.ts";
import { type Blocker, findBlockers } from "../merge/blockers.ts";
import { quietUntil } from "../merge/quiet-hours.ts";
import type { ProjectPolicy } from "../policy.ts";
import { ownerOfChange } from "../reaction/problem-owner.ts";
import { settleProblems } from "../reaction/settle-problems.ts";
import { inheritMark } from "../reaction/untrusted.ts";
import type { SessionState } from "../session/state.ts";
import { baseHeadOf } from "../stack/base.ts";
import { changeStream, sessionStream } from "../stream.ts";
import { isPaused, type World } from "../world.ts";
import { askForReview } from "./ask-review.ts";
import { numberWrites } from "./forge-writes.ts";
import { detectChangeProblems } from "./problems.ts";
import type { ChangeState } from "./state.ts";

/** What follows for pull requests: they follow their branch, have problems and are merged. */
export function settleChanges(world: World, now: number): readonly Emitted[] {
  const events: Emitted[] = [];
  for (const change of changesInPlay(world)) events.push(...settleChange(world, change, now));
  return events;
}

// A merged change can still stop its session, if that is open.
function changesInPlay(world: World): ReadonlySet<ChangeState> {
  const changes = new Set(world.activeChanges());
  for (const session of world.activeSessions()) for (const own of world.changesOf(session.id)) changes.add(own);
  return changes;
}

function settleChange(world: World, change: ChangeState, now: number): readonly Emitted[] {
  const project = world.project(change.projectId);
  const policy = project?.policy ?? null;
  if (policy === null || project?.removed === true) return [];
  const session = change.sessionId === null ? undefined : world.session(change.sessionId);
  if (change.phase !== "open") {
    const detected = detectChangeProblems(change, policy, null);
    const end = settleProblems(ownerOfChange(world, change), detected, { policy, now });
    return change.phase === "merged" ? [...end, ...stopSession(change, session, policy)] : end;
  }
  if (session?.readUntrusted !== undefined && change.readUntrusted === undefined) {
    return onChange(change.key, inheritMark(session.readUntrusted, session.id));
  }
  const seen = session?.branchSeen ?? null;
  if (seen !== null && seen.head !== change.head) {
    return [{ stream: changeStream(change.key), event: { type: "change.updated", head: seen.head } }];
  }
  const baseHead = baseHeadOf(change, project);
  const detected = detectChangeProblems(change, policy, baseHead);
  const problems = settleProblems(ownerOfChange(world, change), detected, { policy, now });
  return numberWrites(change, [
    ...settleCauses(world, change, now),
    ...problems,
    ...askForReview(world, change, { policy, baseHead }),
    ...markReady(change, session, { policy, baseHead }),
    ...requestMerge(world, change, policy, baseHead),
    ...holdForQuiet(change, policy, now),
  ]);
}

/** While one of these holds, a draft is still the agent's. */
const UNFINISHED: readonly Blocker["kind"][] = [
  "check",
  "changes-requested",
  "merge-untried",
  "conflict",
  "mergeability-unknown",
  "unreported",
];

// A draft that ao opened is ready for review once its agent is done with it.
function markReady(
  change: ChangeState,
  session: SessionState | undefined,
  { policy, baseHead }: { readonly policy: ProjectPolicy; readonly baseHead: string | null },
): readonly Emitted[] {
  const { forge, key } = change;
  const isWorking = session !== undefined && (session.turn !== null || session.question !== null);
  if (forge?.isOwnDraft !== true || isWorking) return [];
  if (findBlockers(change, policy, baseHead).some(({ kind }) => UNFINISHED.includes(kind))) return [];
  const write = { id: `w${forge.written + 1}`, about: "draft", kind: "ready" } as const;
  return [{ stream: changeStream(key), event: { type: "change.write-queued", write } }];
}

// The rule for approved and green changes requests the merge as a person would.
function requestMerge(
  world: World,
  change: ChangeState,
  policy: ProjectPolicy,
  baseHead: string | null,
): readonly Emitted[] {
  if (change.mergeRequest !== null || !mergesAutomatically(change, policy) || isPaused(world, change.projectId))
    return [];
  if (findBlockers(change, policy, baseHead).length > 0) return [];
  // A failure on this commit is for a person; repeating it at once would fail the same way.
  if (change.refusal?.head === change.head || isMergeCancelled(change)) return [];
  const rule = policy.reactions["approved-and-green"];
  const strategy = rule?.strategy ?? "squash";
  const deleteAfter = rule?.deleteAfter ?? false;
  const event = { type: "merge.requested", by: "ao", strategy, deleteAfter, head: change.head } as const;
  return [{ stream: changeStream(change.key), event }];
}

// A requested merge waits for the end of quiet hours, and says so; by the rules of now, not of when it was held.
function holdForQuiet(
  { key, mergeRequest: request }: ChangeState,
  policy: ProjectPolicy,
  now: number,
): readonly Emitted[] {
  const hours = policy.merging.quietHours;
  if (request === null || request.isUnderWay === true) return [];
  const { isPlanned = false, notBefore, override } = request;
  const until = hours === null || override !== undefined ? null : quietUntil(hours, now);
  if (hours === null || until === null) return isPlanned ? onChange(key, { type: "merge.released" }) : [];
  if (isPlanned ? notBefore === until : notBefore >= until) return [];
  const reason = `quiet hours until ${hours.to}${hours.timeZone === null ? "" : ` (${hours.timeZone})`}`;
  return onChange(key, { type: "merge.held", reason, files: [], notBefore: until, isPlanned: true });
}

function stopSession(
  change: ChangeState,
  session: SessionState | undefined,
  policy: ProjectPolicy,
): readonly Emitted[] {
  if (!policy.cleanUpAfterMerge || session === undefined || change.merged === null) return [];
  // A session that was restored after the merge works on something new; it is not stopped again.
  if (session.phase !== "open" || session.restoredAt > change.merged.at) return [];
  if (isToldOfMerge(change, session)) return [];
  // It has committed more meanwhile; that is for another pull request.
  if (session.branchSeen !== null && session.branchSeen.head !== change.head) return [];
  const reason = `merged as ${shortCommit(change.merged.commit)}`;
  return [{ stream: sessionStream(session.id), event: { type: "session.stop-requested", reason } }];
}

// A rule messaged the agent about the merge; its session stays until the agent has handled that.
function isToldOfMerge({ problems }: ChangeState, session: SessionState): boolean {
  const message = problems["pr-merged"]?.last ?? null;
  return message !== null && message.action === undefined && session.turns <= message.turns;
}
