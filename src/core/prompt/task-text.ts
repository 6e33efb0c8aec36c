/** What a task is made of, before it is one text. */
export interface TaskSource {
  readonly title: string;
  /** The user's own words; they reach the agent whole. */
  readonly prompt: string | null;
  readonly issue: { readonly id: string; readonly title: string; readonly body: string } | null;
  /** The project's standing instructions. */
  readonly rules: string | null;
}

/** The first message of a session. */
export function composeTask(source: TaskSource): string {
  const parts: string[] = [];
  if (source.issue !== null) {
    parts.push(`Issue ${source.issue.id}: ${source.issue.title}`);
    if (source.issue.body.trim() !== "") parts.push(source.issue.body);
  }
  if (source.prompt !== null) parts.push(source.prompt);
  else if (source.issue === null) parts.push(source.title);
  if (source.rules !== null && source.rules.trim() !== "") parts.push(`Rules of this project:\n${source.rules}`);
  return parts.join("\n\n");
}
