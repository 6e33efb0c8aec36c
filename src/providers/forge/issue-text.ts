import { createHash } from "node:crypto";

interface Labels {
  readonly labels: readonly string[];
  readonly priority: string | null;
}

/** Labels such as `priority: high` are the priority; the others are labels. */
export function splitLabels(names: readonly string[], prefix: string): Labels {
  const isPriority = (name: string): boolean => name.toLowerCase().startsWith(prefix.toLowerCase());
  const priority = names.find(isPriority)?.slice(prefix.length).trim();
  return { labels: names.filter((name) => !isPriority(name)), priority: priority === "" ? null : (priority ?? null) };
}

/** The label for a priority; none if it is empty. */
export function priorityLabels(priority: string | null | undefined, prefix: string): readonly string[] {
  return priority == null || priority === "" ? [] : [`${prefix} ${priority}`];
}

const DEPENDENCY = /^\s*(?:[-*]\s+)?(?:depends on|blocked by)\b:?(.*)$/gim;

/** Numbers in lines such as "Depends on #3, #4" or "- Blocked by #5". */
export function dependenciesInText(body: string): readonly string[] {
  const lines = [...body.matchAll(DEPENDENCY)].map(([, rest = ""]) => rest);
  return lines.flatMap((line) => [...line.matchAll(/(?<![\w/])#(\d+)\b/g)].map(([, number = ""]) => number));
}

/** Marks our comment so that it can be found again: invisible on the page, and the same for the same key. */
export function commentMark(key: string): string {
  return `<!-- ao:${createHash("sha256").update(key).digest("hex").slice(0, 16)} -->`;
}
