import { changeCommands } from "../command/react-commands.ts";
import { type ExactMerge, type Intent, type IntentSpec, intentId, type Wanted } from "../intent.ts";
import { findBlockers, runsOnChanges } from "../merge/blockers.ts";
import { dependsOnSize, isMeasured } from "../merge/policy-blockers.ts";
import type { ProjectPolicy } from "../policy.ts";
import type { ProjectState } from "../project/state.ts";
import { ownerOfChange } from "../reaction/problem-owner.ts";
import { nextDeadline } from "../reaction/settle-problems.ts";
import { baseHeadOf } from "../stack/base.ts";
import { changeStream } from "../stream.ts";
import { nextMerge } from "../train/batch.ts";
import { goesByTrain } from "../train/queue.ts";
import { isPaused, type World } from "../world.ts";
import { requestsOf } from "./evolve-merge.ts";
import { detectChangeProblems } from "./problems.ts";
import type { ChangeState, ForgeWrite } from "./state.ts";
import { transferWanted } from "./transfer.ts";
import { isPushHeld } from "./trust.ts";

/** What a change wants done now. Level-triggered, as for sessions. */
export function reactChange(world: World, change: ChangeState, now: number): Wanted {
  const project = world.project(change.projectId);
  const policy = project?.policy ?? null;
  if (project === undefined || project.removed || policy === null) return { intents: [], wakeAt: null };
  if (change.phase !== "open") {
    if (isPaused(world, change.projectId)) return { intents: [], wakeAt: null };
    const cleanUp = change.phase === "merged" ? cleanUpWanted(world, change, now) : { intents: [], wakeAt: null };
    const writes = writesWanted(change, now);
    const intents = [...writes.intents, ...changeCommands(change), ...cleanUp.intents];
    return { intents, wakeAt: earliest(writes.wakeAt, cleanUp.wakeAt) };
  }
  const detected = detectChangeProblems(change, policy, baseHeadOf(change, project));
  const deadline = nextDeadline(ownerOfChange(world, change), detected, { policy, now });
  const transfer = transferWanted(change);
  const release = releaseOf(change, now);
  if (isPaused(world, change.projectId)) {
    return { intents: [...transfer, ...runningChecks(change)], wakeAt: earliest(deadline, release) };
  }
  const merge = mergeWanted(world, change, { project: { ...project, policy }, now });
  const publish = isPushHeld(change, policy.trust) ? { intents: [], wakeAt: null } : publishWanted(change, now);
  const writes = writesWanted(change, now);
  const intents = [
    ...transfer,
    ...publish.intents,
    ...writes.intents,
    ...changeCommands(change),
    ...checksWanted(change, policy),
    ...tryWanted(change, policy, baseHeadOf(change, project)),
    ...merge.intents,
  ];
  return { intents, wakeAt: [deadline, release, merge.wakeAt, publish.wakeAt, writes.wakeAt].reduce(earliest) };
}

// When the rules stop holding its merge, whatever else blocks that.
function releaseOf({ mergeRequest }: ChangeState, now: number): number | null {
  return mergeRequest?.isPlanned === true && mergeRequest.notBefore > now ? mergeRequest.notBefore : null;
}

// Someone else's commit is not overwritten: a newer one of ours has to contain it.
function publishWanted(change: ChangeState, now: number): Wanted {
  const { forge, head } = change;
  if (forge === undefined || forge.published === head) return { intents: [], wakeAt: null };
  const failure = forge.failure?.head === head ? forge.failure : null;
  if (failure !== null && failure.notBefore > now) return { intents: [], wakeAt: failure.notBefore };
  const spec: IntentSpec = { kind: "publish-change", changeKey: change.key, head };
  return {
    intents: [make(change, `forge:${change.key}`, { spec, occurrence: head, attempt: forge.pushes + 1 })],
    wakeAt: null,
  };
}

// One after another: a later one may undo an earlier one. Nothing depends on a re-run, which may have to wait for long.
function writesWanted(change: ChangeState, now: number): Wanted {
  const writes = change.forge?.writes ?? [];
  const heldUntil = ({ held }: ForgeWrite): number => held?.notBefore ?? 0;
  const inTheWay = writes.findIndex((write) => heldUntil(write) > now && write.kind !== "rerun");
  const first = inTheWay < 0 ? writes : writes.slice(0, inTheWay);
  const intents = first
    .filter((write) => heldUntil(write) <= now)
    .map(({ id }) => {
      const spec: IntentSpec = { kind: "write-change", changeKey: change.key, writeId: id };
      return make(change, `forge:${change.key}`, { spec, occurrence: id, attempt: 1 });
    });
  const later = writes.map(heldUntil).filter((at) => at > now);
  return { intents, wakeAt: later.length === 0 ? null : Math.min(...later) };
}

function earliest(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

function checksWanted(change: ChangeState, policy: ProjectPolicy): readonly Intent[] {
  return Object.entries(policy.checks).flatMap(([name, rule]): readonly Intent[] => {
    const run = change.checks[name];
    if (!runsOnChanges(rule) || (run !== undefined && run.state !== "queued" && run.state !== "running")) return [];
    return [checkIntent(change, name, run?.attempt ?? (change.attempts[change.head] ?? 0) + 1)];
  });
}

function runningChecks(change: ChangeState): readonly Intent[] {
  return Object.values(change.checks)
    .filter((run) => run.state === "running")
    .map((run) => checkIntent(change, run.name, run.attempt));
}

function checkIntent(change: ChangeState, check: string, attempt: number): Intent {
  const spec: IntentSpec = { kind: "run-check", changeKey: change.key, check, head: change.head, attempt };
  return make(change, `check:${change.key}:${check}:${change.head}`, {
    spec,
    occurrence: `${check}@${change.head}`,
    attempt: attempt,
  });
}

function tryWanted(change: ChangeState, policy: ProjectPolicy, baseHead: string | null): readonly Intent[] {
  const known = change.mergeability;
  const measure = dependsOnSize(policy);
  const isTried = known?.head === change.head && known.baseHead === baseHead;
  if (baseHead === null || (isTried && (!measure || isMeasured(known.size, policy)))) return [];
  const facts = { changeKey: change.key, head: change.head, baseHead };
  const landed = change.landed === undefined ? {} : { landed: change.landed.head };
  const spec: IntentSpec = { kind: "try-merge", ...facts, ...(measure ? { measure } : {}), ...landed };
  return [
    make(change, `try:${change.key}`, { spec, occurrence: `${change.head}.${baseHead}`, attempt: change.tries + 1 }),
  ];
}

type KnownProject = ProjectState & { readonly policy: ProjectPolicy };

function mergeWanted(
  world: World,
  change: ChangeState,
  { project, now }: { readonly project: KnownProject; readonly now: number },
): Wanted {
  const { mergeRequest: request } = change;
  const { policy } = project;
  if (request === null || request.head !== change.head || request.queue !== undefined) {
    return { intents: [], wakeAt: null };
  }
  if (isLeavingQueue(change) || findBlockers(change, policy, baseHeadOf(change, project)).length > 0) {
    return { intents: [], wakeAt: null };
  }
  if (request.notBefore > now) return { intents: [], wakeAt: request.notBefore };
  const exact = goesByTrain(change, policy) ? allowedByTrain(world, change, project) : undefined;
  if (exact === null) return { intents: [], wakeAt: null };
  const { head, strategy } = request;
  const spec: IntentSpec = {
    kind: "merge-change",
    changeKey: change.key,
    head,
    strategy,
    ...(exact === undefined ? {} : { exact }),
  };
  const occurrence = exact === undefined ? head : `${head}.${exact.commit}`;
  // A request ends at most one merge, and the next request may be for the same commit. Older versions counted refusals only.
  const attempt = change.refusals + requestsOf(change);
  return {
    intents: [make(change, `merge:${change.projectId}`, { spec, occurrence, attempt })],
    wakeAt: null,
  };
}

// If it joined the forge's queue again first, this would take it out.
function isLeavingQueue({ forge }: ChangeState): boolean {
  return forge?.writes.some(({ kind }) => kind === "dequeue") ?? false;
}

// Only what was checked, and only onto the base it was checked on.
function allowedByTrain(world: World, change: ChangeState, project: KnownProject): ExactMerge | null {
  const next = nextMerge(world, project, project.policy);
  return next?.key === change.key ? { base: next.base, commit: next.commit } : null;
}

// The branch can only be deleted once nothing has it checked out, so wait for its session.
function cleanUpWanted(world: World, change: ChangeState, now: number): Wanted {
  const intents: Intent[] = [];
  const session = change.sessionId === null ? undefined : world.session(change.sessionId);
  const isFree = session === undefined || session.phase === "stopped";
  const issueAt = change.issueHeld?.notBefore ?? 0;
  const isIssueOpen = change.issue !== null && change.issueFate === null;
  if (change.issue !== null && isIssueOpen && issueAt <= now) {
    const spec: IntentSpec = { kind: "close-issue", changeKey: change.key, issue: change.issue };
    intents.push(make(change, `tracker:${change.projectId}`, { spec, occurrence: change.issue, attempt: 1 }));
  }
  if (change.merged?.deleteAfter === true && change.branchFate === null && isFree) {
    const spec: IntentSpec = { kind: "delete-branch", changeKey: change.key, head: change.head };
    intents.push(make(change, `merge:${change.projectId}`, { spec, occurrence: change.head, attempt: 1 }));
  }
  return { intents, wakeAt: isIssueOpen && issueAt > now ? issueAt : null };
}

interface Attempt {
  readonly spec: IntentSpec;
  readonly occurrence: string;
  readonly attempt: number;
}

function make(change: ChangeState, lane: string, { spec, occurrence, attempt }: Attempt): Intent {
  const stream = changeStream(change.key);
  return { id: intentId(stream, spec.kind, occurrence, attempt), stream, lane, spec };
}
