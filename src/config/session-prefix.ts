/** The prefix of session ids when none is written: the project's id without what tmux names cannot hold. */
export function defaultPrefix(projectId: string): string {
  return projectId.replace(/[^A-Za-z0-9_-]+/g, "-");
}
