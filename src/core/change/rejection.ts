import { shortCommit } from "../hash.ts";
import { describeRejection, nameCompany } from "../merge/blockers.ts";
import type { ProjectPolicy } from "../policy.ts";
import type { DetectedProblem } from "../reaction/detected-problem.ts";
import { fence } from "../reaction/template.ts";
import { namesOf } from "./names.ts";
import type { ChangeState } from "./state.ts";

const PREFIX = "train-failed:";

/** True until the train has tried a newer commit on the newest base: that one may fail there too. */
export function isRejectionOpen({ rejection, head }: ChangeState, problemId: string): boolean {
  return problemId.startsWith(PREFIX) && rejection !== undefined && rejection.head !== head;
}

/** The pull request is green alone and red on the newest base; its agent has to fix that. */
export function rejected(change: ChangeState, policy: ProjectPolicy): readonly DetectedProblem[] {
  const { rejection, base } = change;
  if (policy.train === undefined || rejection === undefined || rejection.head !== change.head) return [];
  const { check, state, code, since, commit, fingerprint, log } = rejection;
  const red = state === "timed-out" ? "timed out" : `failed with exit code ${code ?? "?"}`;
  const command = `git merge ${base} && ${policy.checks[check]?.run ?? check}`;
  return [
    {
      id: `${PREFIX}${check}`,
      key: "ci-failed",
      occurrence: `${shortCommit(commit)}.${fingerprint}`,
      text: describeRejection(rejection),
      variables: (reader) => ({
        ...namesOf(change, reader),
        check,
        result: `passed alone but ${red} when merged into ${base} ${nameCompany(since)}`,
        step: "",
        command,
        reproduce: `To reproduce it, run: ${command}`,
        head: shortCommit(commit),
        evidence: "",
        tests: "",
        errors: fence(`log of ${check}`, log ?? { inline: "" }, reader.mark),
      }),
    },
  ];
}
