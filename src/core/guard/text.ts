import type { ChangeState } from "../change/state.ts";
import { shortCommit } from "../hash.ts";
import type { ProjectState } from "../project/state.ts";
import { fence, joinTexts } from "../reaction/template.ts";
import type { StoredText } from "../text.ts";
import type { BrokenMain } from "./state.ts";

/** The message to the agent of a reverted pull request: what broke, how to restore its work, and the log. */
export function evidenceFor(
  project: ProjectState,
  change: ChangeState,
  { broken, mark }: { readonly broken: BrokenMain; readonly mark: string },
): StoredText {
  const { check, culprit, revert } = broken;
  const { defaultBranch: base, policy, commitChecks } = project;
  const run = commitChecks?.[culprit?.commit ?? ""]?.[check] ?? commitChecks?.[broken.commit]?.[check];
  const red = run?.state === "timed-out" ? "timed out" : `failed with exit code ${run?.code ?? "?"}`;
  const words = [
    `Your pull request #${change.number} broke ${base}: the check \`${check}\` ${red} on commit ${shortCommit(culprit?.commit ?? "")}.`,
    `ao reverted it as ${shortCommit(revert ?? "")} and reopened the task.`,
    `On branch ${change.branch}: run git merge ${base}, then git revert ${shortCommit(revert ?? "")} to get your changes back.`,
    `Fix the cause, so that this passes: ${policy?.checks[check]?.run ?? check}. Then commit.`,
    "",
    "",
  ].join("\n");
  return joinTexts([{ inline: words }, fence(`log of ${check}`, run?.log ?? { inline: "" }, mark)]);
}
