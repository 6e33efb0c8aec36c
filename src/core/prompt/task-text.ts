/** What a task is made of, before it is one text. */
export interface TaskSource {
  readonly title: string;
  /** The user's own words; they reach the agent whole, before anything else. */
  readonly prompt: string | null;
  readonly issue: {
    readonly id: string;
    readonly title: string;
    readonly body: string;
    readonly url: string | null;
  } | null;
}

/** The task in words: the user's own first, then the issue. What holds for every task of the session is in its brief. */
export function composeTask({ title, prompt, issue }: TaskSource): string {
  const parts: string[] = [];
  if (prompt !== null) parts.push(prompt);
  if (issue !== null) {
    const heading = `Issue ${issue.id}: ${issue.title}`;
    parts.push(issue.url === null ? heading : `${heading}\n${issue.url}`);
    if (issue.body.trim() !== "") parts.push(issue.body);
  } else if (prompt === null) parts.push(title);
  return parts.join("\n\n");
}
