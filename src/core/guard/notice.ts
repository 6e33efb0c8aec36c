import { type Emitted, onFleet } from "../event.ts";
import { shortCommit } from "../hash.ts";
import type { ProjectPolicy } from "../policy.ts";
import type { ProjectState } from "../project/state.ts";
import { judgeCondition } from "../reaction/condition.ts";

/** A check that fails on the base; `culprit` null: no merge of `ao` is known to have broken it. */
export interface BrokenBase {
  readonly check: string;
  readonly commit: string;
  readonly culprit: string | null;
}

/** How the ids of all notices about a red check of a base begin. */
export function mainNotices(projectId: string, check: string): string {
  return `project:${projectId}/main-broken/${check}/`;
}

/** Tells people that the base is red, unless the rule for `main-broken` says otherwise. */
export function mainBrokenNotice(
  project: ProjectState & { readonly policy: ProjectPolicy },
  { check, commit, culprit }: BrokenBase,
): readonly Emitted[] {
  const { id, name, policy, main, defaultBranch } = project;
  const rule = policy.reactions["main-broken"];
  const event = { key: "main-broken", text: check, subject: id, messages: 0 };
  const { isMet, undecided } = judgeCondition(rule?.condition ?? null, { event });
  const isWanted = isMet || undecided !== null;
  if (rule !== undefined && (!rule.auto || rule.action !== "notify" || !isWanted)) return [];
  const broke =
    culprit === null
      ? `fails on ${shortCommit(commit)}; no merge by ao is known to have broken it`
      : `has failed since ${culprit} (${shortCommit(commit)})`;
  return onFleet({
    type: "notice.raised",
    id: `${mainNotices(id, check)}${commit}/${main?.broken?.at ?? 0}`,
    priority: rule?.priority ?? "urgent",
    key: "main-broken",
    title: `${name}: ${defaultBranch} is red`,
    text: rule?.message ?? `Check \`${check}\` ${broke}.`,
    projectId: id,
    sessionId: null,
    act: culprit === null ? `ao status --project ${id}` : `ao pr show "${culprit}" --project ${id}`,
  });
}
