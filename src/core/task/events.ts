/** Everything that can have happened to a task. docs/lifecycle.md has a row for each. */
export type TaskEvent =
  | {
      readonly type: "task.claimed";
      readonly key: string;
      readonly projectId: string;
      readonly issue: string | null;
      readonly title: string;
      readonly sessionId: string;
    }
  | { readonly type: "task.released"; readonly sessionId: string };
