import { decideBaseChecks } from "../cause/observe-base.ts";
import { type Emitted, onChange } from "../event.ts";
import { proveMerge } from "../merge/prove-merge.ts";
import { decideBaseMoved } from "../project/decide.ts";
import { isSame } from "../same.ts";
import { findParent } from "../stack/find-parent.ts";
import { landedOf } from "../stack/settle.ts";
import type { World } from "../world.ts";
import type { ChangeEvent } from "./events.ts";
import { decideQueue } from "./forge-queue.ts";
import type { ChangeObservation, ReportedCheck } from "./observation.ts";
import { beyondLimits, decideReview, hasWrites } from "./observed-reviews.ts";
import type { ChangeState } from "./state.ts";

/** What an observed pull request on its forge means; what the log already knows means nothing. */
export function decideObserved(
  world: World,
  { key, seen }: { readonly key: string; readonly seen: ChangeObservation },
  now: number,
): readonly Emitted[] {
  const change = world.change(key);
  if (change?.forge === undefined || change.phase !== "open" || seen.version < change.forge.version) return [];
  const by = seen.by ?? "somebody";
  // A base that was deleted on the forge has no commit; the last known one stays.
  const base = seen.baseHead === "" ? [] : decideBaseMoved(world, change.projectId, seen.baseHead);
  if (seen.state === "merged") {
    const baseBefore = world.project(change.projectId)?.baseHead ?? seen.baseHead;
    const { head, mergeCommit } = seen;
    // The queue merges for whoever requested it.
    const merger = change.mergeRequest?.queue === undefined ? { by } : {};
    const commit = mergeCommit ?? seen.baseHead;
    // Nothing is known about another commit than the one that was judged.
    const proof = head === change.head ? proveMerge(world, change, { commit, now }) : null;
    const proven = proof === null ? {} : { proof };
    return [...onChange(key, { type: "change.merged", commit, baseBefore, head, ...merger, ...proven }), ...base];
  }
  if (seen.state === "closed") return onChange(key, { type: "change.closed", by, reason: "closed on the forge" });
  const project = world.project(change.projectId);
  return [
    ...base,
    ...(project === undefined ? [] : decideBaseChecks(project, seen)),
    ...decideRetargeted(world, change, seen),
    ...onChange(
      key,
      ...decideFacts(change, seen),
      ...decideQueue(change, seen),
      ...decideLabels(change, seen),
      ...decideChecks(world, change, seen),
      ...seen.reviews.flatMap((review) => decideReview(change, review)),
    ),
  ];
}

// Forges move a stacked pull request to the default branch when the branch below it is deleted; a person can, too.
function decideRetargeted(world: World, change: ChangeState, { base, by }: ChangeObservation): readonly Emitted[] {
  const { stackedOn: on, key, projectId } = change;
  if (on === undefined || base === undefined || base !== world.project(projectId)?.defaultBranch) return [];
  const parent = findParent(world, projectId, on);
  const landed = parent.kind === "merged" ? { landed: landedOf(on, parent.change) } : {};
  return onChange(key, { type: "change.retargeted", base, by: by ?? "the forge", ...landed });
}

function decideFacts(change: ChangeState, seen: ChangeObservation): readonly ChangeEvent[] {
  const { forge } = change;
  if (forge === undefined) return [];
  const { head, required } = seen;
  const blocked = beyondLimits(change, seen) ?? seen.blocked;
  const draft = seen.isDraft === true ? { isDraft: true as const } : {};
  const facts = { head, required, blocked, isChecked: seen.checks !== null, ...draft };
  const moved = seen.url === undefined || seen.url === change.url ? {} : { url: seen.url };
  const isKnown = isSame(facts, forge.seen) && isSame(moved, {});
  // Someone else pushed: ao's last push has been replaced, and none of ours is pending.
  const { publishedBefore = forge.published } = seen;
  const isForeign = head !== change.head && head !== forge.published && head !== forge.foreign;
  // A read that began before ao's last push may show the commit before it.
  const isCurrent = publishedBefore === forge.published;
  return [
    ...(isForeign && isCurrent && forge.published === change.head ? [{ type: "change.diverged", head } as const] : []),
    ...(isKnown ? [] : [{ type: "change.observed", version: seen.version, ...facts, ...moved } as const]),
  ];
}

function decideLabels(change: ChangeState, seen: ChangeObservation): readonly ChangeEvent[] {
  if (hasWrites(change, "label")) return [];
  const by = "the forge";
  return [
    ...seen.labels
      .filter((label) => !change.labels.includes(label))
      .map((label) => ({ type: "label.added", label, by }) as const),
    ...change.labels
      .filter((label) => !seen.labels.includes(label))
      .map((label) => ({ type: "label.removed", label, by }) as const),
  ];
}

// Results of another commit are outdated, or about a commit that is not in the log yet.
function decideChecks(world: World, change: ChangeState, seen: ChangeObservation): readonly ChangeEvent[] {
  if (seen.head !== change.head) return [];
  const own = world.project(change.projectId)?.policy?.checks ?? {};
  return (seen.checks ?? [])
    .filter(({ name }) => own[name] === undefined)
    .flatMap((check) => decideCheck(change, check));
}

function decideCheck(change: ChangeState, check: ReportedCheck): readonly ChangeEvent[] {
  const { name, ref, state, url, log, fingerprint = "", tookMs, step, tests } = check;
  const known = change.checks[name];
  if (known?.ref === ref && (known.state === state || known.state === "queued")) return [];
  const first = (change.attempts[change.head] ?? 0) + 1;
  const attempt =
    known === undefined ? first : known.ref === ref || known.state === "queued" ? known.attempt : known.attempt + 1;
  const where = { name, head: change.head, attempt, ref, ...(url === null ? {} : { url }) };
  if (state === "running") return [{ type: "check.started", ...where }];
  const details = { ...(step === undefined ? {} : { step }), ...(tests === undefined ? {} : { tests }) };
  return [{ type: "check.finished", ...where, state, code: null, log, fingerprint, tookMs, ...details }];
}
