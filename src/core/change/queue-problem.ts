import { shortCommit } from "../hash.ts";
import type { DetectedProblem } from "../reaction/detected-problem.ts";
import { fence, joinTexts, lineOf, nameOr } from "../reaction/template.ts";
import { namesOf } from "./names.ts";
import type { ChangeState } from "./state.ts";
import { hasTrustedNames } from "./trust.ts";

/** Its checks failed together with what would be merged before it: work for the agent, by the rule for red checks. */
export function removedFromQueue(
  change: ChangeState,
  queue: string,
  { reason, check }: NonNullable<ChangeState["refusal"]>,
): DetectedProblem {
  const log = check?.log ?? null;
  const name = nameOr("a check", check?.name ?? "", { isTrusted: hasTrustedNames(change) });
  return {
    id: "merge-queue",
    key: "ci-failed",
    occurrence: `${shortCommit(change.head)}.${change.refusals}`,
    text: `${queue} removed it: ${reason}`,
    variables: (reader) => ({
      ...namesOf(change, reader),
      check: queue,
      result: "removed it",
      step: "",
      command: "merge the newest base into your branch, then run its checks",
      reproduce: "To reproduce it, merge the newest base into your branch, then run its checks.",
      head: shortCommit(change.head),
      evidence: "",
      tests: "",
      errors: joinTexts([
        fence(`reason of ${queue}`, { inline: lineOf(reason) }, reader.mark),
        ...(log === null ? [] : [fence(`log of ${name}`, log, reader.mark)]),
      ]),
    }),
  };
}
