import { runsOf } from "../change/check-problems.ts";
import { isRed } from "../change/evolve-check.ts";
import { writesOf } from "../change/forge-writes.ts";
import type { ChangeState, CheckRun } from "../change/state.ts";
import { type Emitted, onChange, onProject } from "../event.ts";
import { mainChecks } from "../guard/guard.ts";
import { mainBrokenNotice, mainNotices } from "../guard/notice.ts";
import { requiredOf } from "../merge/blockers.ts";
import { withdrawNotices } from "../notice/withdraw.ts";
import { nextAttempt } from "../project/commit-check.ts";
import type { ProjectState } from "../project/state.ts";
import { isPaused, type World } from "../world.ts";
import type { Attribution, FailureCause } from "./attribution.ts";
import { compareWithBase, type KnownProject } from "./compare.ts";
import { type BaseResult, decideCause, RERUNS } from "./decide-cause.ts";
import { isKnownFlake } from "./flake.ts";

interface Settling {
  readonly world: World;
  readonly change: ChangeState;
  readonly project: KnownProject;
  readonly now: number;
}

/** What follows for red checks before anybody hears of them: they are compared with the base, run again, and attributed. */
export function settleCauses(world: World, change: ChangeState, now: number): readonly Emitted[] {
  const project = world.project(change.projectId);
  if (project === undefined || project.policy === null) return [];
  // What a pull request is stacked on is not checked for it, and the project's base is not what it builds on.
  const baseHead = change.stackedOn === undefined ? project.baseHead : null;
  const settling: Settling = { world, change, project: { ...project, baseHead, policy: project.policy }, now };
  return runsOf(change, project.policy).flatMap((run) => {
    if (isRed(run)) return settleRed(settling, run);
    return run.state === "passed" ? settleGreen(settling, run) : [];
  });
}

function settleRed(settling: Settling, run: CheckRun): readonly Emitted[] {
  const { world, change, project, now } = settling;
  const { attribution: known, earlier, tests = [], name } = run;
  const isRequired = requiredOf(change, project.policy).includes(name);
  // What belongs to the branch is its agent's until there is another commit or attempt.
  if (known?.cause === "branch" && isRequired) return [];
  const onBase = compareWithBase(project, run);
  const asked = onBase === "pending" ? askBase(change, project, name) : [];
  // It was the base's failure a commit ago, and stays so until the newest commit is known.
  if (known?.cause === "base" && onBase === "pending") return asked;
  const { reruns = RERUNS } = project.policy;
  const step = decideCause({
    isRequired,
    onBase,
    failures: (earlier?.count ?? 0) + 1,
    isKnownFlake: isKnownFlake(project.flakes ?? {}, { name, tests }, now),
    reruns,
    // Running it again on a commit without the fix of the base would not help.
    canRerun: earlier?.isRefused !== true && known?.cause !== "base",
  });
  switch (step.kind) {
    case "attribute":
      return attribute(settling, run, attributionOf(step.cause, onBase, { known, baseHead: project.baseHead }));
    case "rerun":
      return isPaused(world, project.id) ? [] : [...rerun(change, run), ...asked];
    case "wait":
      return asked;
  }
}

function attributionOf(
  cause: FailureCause,
  onBase: BaseResult,
  { known, baseHead }: { readonly known: Attribution | undefined; readonly baseHead: string | null },
): Attribution {
  const isCleared = cause === "branch" && onBase === "passed";
  const facts = { cause, base: cause === "base" || isCleared ? baseHead : null };
  return isCleared && known?.cause === "base" ? { ...facts, isFixedOnBase: true } : facts;
}

function attribute(settling: Settling, run: CheckRun, found: Attribution): readonly Emitted[] {
  const { change, project } = settling;
  const { attribution: known, name, head, attempt } = run;
  if (known?.cause === found.cause && known.base === found.base) return [];
  const isNews = found.cause === "base" && !isKnownRed(settling, name);
  const notice = isNews ? mainBrokenNotice(project, { check: name, commit: found.base ?? "", culprit: null }) : [];
  const isFixed = found.isFixedOnBase === true;
  const gone = isFixed ? withdrawNotices(settling.world, mainNotices(project.id, name)) : [];
  return [...onChange(change.key, { type: "check.attributed", name, head, attempt, ...found }), ...notice, ...gone];
}

// One notification for all pull requests that wait for the base; the main guard has its own.
function isKnownRed({ world, project }: Settling, check: string): boolean {
  if (mainChecks(project.policy).includes(check)) return true;
  for (const { checks } of world.activeChanges(project.id)) {
    if (checks[check]?.attribution?.cause === "base") return true;
  }
  return false;
}

function rerun(change: ChangeState, { name, attempt }: CheckRun): readonly Emitted[] {
  const asked = onChange(change.key, { type: "check.rerun-requested", name, attempt: attempt + 1, by: "ao" });
  return [...asked, ...writesOf(change, asked)];
}

function askBase(change: ChangeState, project: ProjectState, name: string): readonly Emitted[] {
  const commit = project.baseHead;
  // A forge runs its checks there by itself.
  if (commit === null || project.policy?.checks[name] === undefined) return [];
  const attempt = nextAttempt(project, commit, name);
  if (project.commitChecks?.[commit]?.[name]?.attempt === attempt) return [];
  return onProject(project.id, { type: "commit.check-requested", commit, name, attempt, key: change.key });
}

// It failed and passed on the same commit.
function settleGreen({ change }: Settling, run: CheckRun): readonly Emitted[] {
  const { earlier, attribution, name, head, attempt } = run;
  if (earlier === undefined || attribution !== undefined) return [];
  const { tests } = earlier;
  return [
    ...onChange(change.key, { type: "check.attributed", name, head, attempt, cause: "flaky", base: null }),
    ...onProject(change.projectId, { type: "check.flaked", name, commit: head, key: change.key, tests }),
  ];
}
