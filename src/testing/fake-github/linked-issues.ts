import type { Issue, Pull, Repository } from "./model.ts";
import { fullName, isPull, setState, type World } from "./world.ts";

const KEYWORD = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+([\w.-]+\/[\w.-]+)?#(\d+)/gi;

/** Issues that a pull request's text closes. */
export function linkedIssues(repository: Repository, pull: Pull): readonly Issue[] {
  const found = [...`${pull.title}\n${pull.body ?? ""}`.matchAll(KEYWORD)];
  const numbers = found.flatMap(([, name, number]) =>
    name === undefined || name === fullName(repository) ? [Number(number)] : [],
  );
  return [...new Set(numbers)].flatMap((number) => {
    const issue = repository.issues.get(number);
    return issue === undefined || isPull(issue) ? [] : [issue];
  });
}

/** A merge into the default branch closes them. */
export async function closeLinkedIssues(world: World, repository: Repository, pull: Pull): Promise<void> {
  if (pull.baseBranch !== repository.defaultBranch) return;
  for (const issue of linkedIssues(repository, pull)) setState(world, issue, { state: "closed" });
}
