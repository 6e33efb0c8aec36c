/** A piece of work: an issue, or an ad-hoc prompt. At most one session holds its claim. */
export interface TaskState {
  readonly key: string;
  readonly projectId: string;
  readonly issue: string | null;
  readonly title: string;
  readonly claimedBy: string | null;
  readonly at: number;
}

/** The key of a task: the project's issue, or the session itself for an ad-hoc prompt. */
export function taskKeyOf(projectId: string, issue: string | null, sessionId: string): string {
  return issue === null ? `${projectId}/~${sessionId}` : `${projectId}/${issue}`;
}
