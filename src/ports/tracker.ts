import type { WorkStage } from "../core/task/work-stage.ts";

/** Where tasks come from. */
export interface Issue {
  /** The tracker's own id: "42", "ENG-42". */
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly state: "open" | "closed";
  readonly labels: readonly string[];
  readonly priority: string | null;
  readonly dependsOn: readonly string[];
  readonly assignee: string | null;
  readonly url: string | null;
  /** Absent: unknown, or the user's own file (`isOwn`). */
  readonly author?: IssueAuthor;
}

/** Who wrote an issue. */
export interface IssueAuthor {
  readonly name: string;
  /**
   * Is it somebody who works on the project: with write access to the repository, or a member of a workspace that only
   * members can write to? Absent: not looked up, as in lists; whoever gives the text to an agent takes that for no.
   */
  readonly access?: "write" | "none";
}

export interface NewIssue {
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly dependsOn: readonly string[];
  readonly priority?: string | undefined;
}

export interface IssuePatch {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly state?: "open" | "closed" | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly priority?: string | undefined;
  readonly dependsOn?: readonly string[] | undefined;
  readonly assignee?: string | null | undefined;
}

/** Which issues to list; an absent field does not filter. */
export interface IssueFilter {
  readonly state?: Issue["state"] | undefined;
  /** All of these, case-insensitive. */
  readonly labels?: readonly string[] | undefined;
  readonly assignee?: string | undefined;
}

export interface Tracker {
  /** Its issues are the user's own files. Absent: anyone may have written an issue, so agents get its text as data. */
  readonly isOwn?: true;
  /** By number, ascending. An unreadable record is reported in `problems`, never dropped silently. */
  list(filter: IssueFilter): Promise<{ readonly issues: readonly Issue[]; readonly problems: readonly string[] }>;
  /** Unknown ids are absent from the answer; an empty list makes no call. */
  get(ids: readonly string[]): Promise<readonly Issue[]>;
  readonly create?: (issue: NewIssue) => Promise<Issue>;
  readonly edit?: (id: string, patch: IssuePatch) => Promise<Issue>;
  /** Writes a comment, or replaces the one written under the same key; repeating it adds no second one. */
  readonly comment?: (id: string, comment: { readonly key: string; readonly text: string }) => Promise<void>;
  /** The words with which a merged pull request closes the issue: `Fixes octo/demo#7`. Absent: the tracker has none. */
  readonly closingWords?: (id: string) => string;
  /**
   * Moves an issue forward to the state configured for this stage of the work. Does nothing if no state is configured
   * or a person has moved the issue further. Idempotent.
   */
  readonly transition?: (id: string, stage: WorkStage) => Promise<void>;
  /** Findings for `ao doctor`: whether the tracker can be reached and written. Absent: nothing to check. */
  readonly examine?: () => Promise<{
    readonly state: "ok" | "warn" | "fail";
    readonly text: string;
    readonly fix: string | null;
  }>;
}
