/** Does an issue match a filter? An absent field does not filter; labels and names are case-insensitive. */
export function matchesFilter(
  issue: { readonly state: string; readonly labels: readonly string[]; readonly assignee: string | null },
  filter: {
    readonly state?: string | undefined;
    readonly labels?: readonly string[] | undefined;
    readonly assignee?: string | undefined;
  },
): boolean {
  const labels = issue.labels.map((name) => name.toLowerCase());
  return (
    (filter.state === undefined || issue.state === filter.state) &&
    (filter.labels ?? []).every((name) => labels.includes(name.toLowerCase())) &&
    (filter.assignee === undefined || issue.assignee?.toLowerCase() === filter.assignee.toLowerCase())
  );
}
