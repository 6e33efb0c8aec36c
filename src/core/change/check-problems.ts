import { describeRefusal } from "../cause/find-refusal.ts";
import { shortCommit } from "../hash.ts";
import { CHECK_WORDS, runsOnChanges } from "../merge/blockers.ts";
import type { ProjectPolicy } from "../policy.ts";
import type { DetectedProblem } from "../reaction/detected-problem.ts";
import { fence, nameOr, quoteName, type Reader, type Variables } from "../reaction/template.ts";
import { isRed } from "./evolve-check.ts";
import { namesOf } from "./names.ts";
import type { ChangeState, CheckRun } from "./state.ts";
import { hasTrustedNames } from "./trust.ts";

/** The checks of a change that count; the result of one that is no longer configured does not. */
export function runsOf(change: ChangeState, policy: ProjectPolicy): readonly CheckRun[] {
  return Object.values(change.checks).filter((run) => {
    const rule = policy.checks[run.name];
    return run.ref !== undefined || (rule !== undefined && runsOnChanges(rule));
  });
}

/** Checks that fail because of the pull request itself, as far as `ao` can tell. */
export function failedChecks(change: ChangeState, policy: ProjectPolicy): readonly DetectedProblem[] {
  return runsOf(change, policy)
    .filter((run) => isRed(run) && run.attribution?.cause === "branch")
    .map((run) => ({
      id: `ci-failed:${run.name}`,
      key: "ci-failed",
      occurrence: `${shortCommit(run.head)}.${run.fingerprint}`,
      text: `check \`${run.name}\` ${resultOf(run)} on ${shortCommit(run.head)}`,
      variables: (reader) => checkVariables(change, run, { reader, own: policy.checks[run.name]?.run ?? null }),
    }));
}

interface CheckReader {
  readonly reader: Reader;
  /** The command as the project's configuration has it; null: the forge runs the check. */
  readonly own: string | null;
}

function checkVariables(change: ChangeState, run: CheckRun, { reader, own }: CheckReader): Variables {
  const { tests = [], step = "" } = run;
  // A stranger's pull request can name the checks and steps of its forge.
  const isTrusted = run.ref === undefined || hasTrustedNames(change);
  const command = own ?? (isTrusted ? commandOf(step) : null);
  const name = nameOr("a check", run.name, { isTrusted });
  return {
    ...namesOf(change, reader),
    check: quoteName("check", run.name, { ...reader, isTrusted }),
    result: resultOf(isTrusted ? run : { ...run, step: undefined }),
    step: quoteName("step", step, { ...reader, isTrusted: isTrusted || step === "" }),
    command: command ?? run.url ?? name,
    reproduce: command === null ? `Its page: ${run.url ?? "none"}` : `To reproduce it, run: ${command}`,
    head: shortCommit(run.head),
    evidence: evidenceFor(change, run),
    tests: tests.length === 0 ? "" : fence(`failing tests of ${name}`, { inline: tests.join("\n") }, reader.mark),
    errors: fence(`log of ${name}`, run.log ?? { inline: "" }, reader.mark),
  };
}

// Forges name a step without a name after its command; that of an action is no command.
function commandOf(step: string): string | null {
  return /^(?:Run |\$ )(?!\S+\/\S+@)(.+)$/.exec(step)?.[1] ?? null;
}

// Why this failure is the branch's own: one sentence after the one that says what failed, or nothing.
function evidenceFor({ base, forge }: ChangeState, { earlier, attribution }: CheckRun): string {
  const { base: compared = null, isFixedOnBase } = attribution ?? {};
  const commit = compared === null ? "" : shortCommit(compared);
  if (isFixedOnBase === true) {
    // The branch of this name is not the forge's: its commit is.
    const newest = forge === undefined ? base : commit;
    return ` It failed on ${base} too, and passes there since ${commit}: merge ${newest} first.`;
  }
  const runs = earlier === undefined || earlier.isRefused === true ? 1 : earlier.count + 1;
  const often = runs === 1 ? "" : `failed in ${runs === 2 ? "both of 2" : `all ${runs}`} runs on this commit`;
  const there = compared === null ? "" : `passes on ${base} (${commit})`;
  const facts = [often, there].filter((fact) => fact !== "");
  return facts.length === 0 ? "" : ` It ${facts.join(" and ")}.`;
}

function resultOf(run: Pick<CheckRun, "state" | "ref" | "code"> & { readonly step?: string | undefined }): string {
  if (run.state === "timed-out") return "timed out";
  if (run.ref === undefined) return `failed with exit code ${run.code ?? "?"}`;
  return run.step === undefined ? "failed" : `failed in step \`${run.step}\``;
}

const BROKEN = ["setup-failed", "unknown", "cancelled"] as const;

/** Checks that could not tell whether the pull request is good. */
export function setupFailures(change: ChangeState, policy: ProjectPolicy): readonly DetectedProblem[] {
  return runsOf(change, policy).flatMap((run): readonly DetectedProblem[] => {
    const broken = BROKEN.find((state) => state === run.state);
    if (broken === undefined) return [];
    return [
      {
        id: `check-setup:${run.name}`,
        key: "check-setup",
        occurrence: `${shortCommit(run.head)}.${run.attempt}`,
        text:
          run.refused === undefined
            ? `check \`${run.name}\` ${CHECK_WORDS[broken]} on ${shortCommit(run.head)}`
            : `check \`${run.name}\` ${describeRefusal(run.refused)}`,
        variables: (reader) => checkVariables(change, run, { reader, own: run.name }),
      },
    ];
  });
}
