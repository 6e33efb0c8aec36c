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

/** Which issues to list; a field that is absent leaves none out. */
export interface IssueFilter {
  readonly state?: Issue["state"] | undefined;
  /** All of these, whatever their case. */
  readonly labels?: readonly string[] | undefined;
  readonly assignee?: string | undefined;
}

export interface Tracker {
  /** Its issues are the user's own files. Absent: anybody may have written an issue, and agents get its text as data. */
  readonly isOwn?: true;
  /** By number, ascending. A record that cannot be read is reported in `problems`, never dropped in silence. */
  list(filter: IssueFilter): Promise<{ readonly issues: readonly Issue[]; readonly problems: readonly string[] }>;
  /** Unknown ids are absent from the answer; an empty list makes no call. */
  get(ids: readonly string[]): Promise<readonly Issue[]>;
  readonly create?: (issue: NewIssue) => Promise<Issue>;
  readonly edit?: (id: string, patch: IssuePatch) => Promise<Issue>;
  /** Writes a comment, or replaces the one that was written under the same key: asked again, it adds none. */
  readonly comment?: (id: string, comment: { readonly key: string; readonly text: string }) => Promise<void>;
  /** The words by which a pull request closes the issue once it is merged: `Fixes octo/demo#7`. Absent: there are none. */
  readonly closingWords?: (id: string) => string;
  /**
   * Moves an issue forward to the state that the configuration names for this stage of the work. Where it names none, or a person has
   * moved the issue further, nothing happens: asked again, it changes nothing.
   */
  readonly transition?: (id: string, stage: WorkStage) => Promise<void>;
  /** What `ao doctor` says of it: whether it can be reached and written. Absent: there is nothing to check. */
  readonly examine?: () => Promise<{
    readonly state: "ok" | "warn" | "fail";
    readonly text: string;
    readonly fix: string | null;
  }>;
}
