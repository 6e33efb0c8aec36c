/** By issue: the open ones that depend on it, as their tracker says. */
export function listDependents(
  issues: readonly { readonly id: string; readonly state: "open" | "closed"; readonly dependsOn: readonly string[] }[],
): ReadonlyMap<string, readonly string[]> {
  const dependents = new Map<string, string[]>();
  for (const { id, state, dependsOn } of issues) {
    if (state !== "open") continue;
    for (const needed of new Set(dependsOn)) dependents.set(needed, [...(dependents.get(needed) ?? []), id]);
  }
  return dependents;
}
