/** The default prefix of session ids: the project's id without characters that tmux names cannot contain. */
export function defaultPrefix(projectId: string): string {
  return projectId.replace(/[^A-Za-z0-9_-]+/g, "-");
}
