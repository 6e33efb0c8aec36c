import type { World } from "../world.ts";
import type { ChangeState } from "./state.ts";

/** What a forge reports as changed: which pull requests, never how. Reading them shows that. */
export interface ForgeReport {
  /** The page of the repository. */
  readonly repository: string;
  readonly numbers: readonly number[];
  readonly commits: readonly string[];
  /** Branches that moved, whether pull requests come from them or go into them. */
  readonly branches: readonly string[];
  /** All pull requests of the repository may be affected: a rule changed. */
  readonly isAboutAll: boolean;
}

/** The open pull requests that a report is about. */
export function reportedChanges(world: World, report: ForgeReport): readonly ChangeState[] {
  const prefix = `${report.repository.replace(/\/+$/, "")}/`;
  return [...world.activeChanges()].filter((change) => {
    if (change.phase !== "open" || change.forge === undefined) return false;
    // A renamed repository is reported under an unknown name; its commits are the same.
    return isAtCommit(change, report) || (change.url?.startsWith(prefix) === true && isNamed(change, report));
  });
}

function isAtCommit({ head, forge }: ChangeState, { commits }: ForgeReport): boolean {
  const heads = [head, forge?.published, forge?.seen?.head];
  return commits.some((commit) => heads.includes(commit));
}

function isNamed({ number, branch, base }: ChangeState, report: ForgeReport): boolean {
  if (report.isAboutAll || report.numbers.includes(number)) return true;
  return report.branches.some((moved) => moved === branch || moved === base);
}
