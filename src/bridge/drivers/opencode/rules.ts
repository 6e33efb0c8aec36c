import { matchesCommand } from "../../kit/commands.ts";
import { isPathRule } from "../../kit/path-rules.ts";
import { judge, type Verdict } from "../../kit/policy.ts";
import type { Tool } from "../../kit/tool.ts";
import type { Settings } from "./settings.ts";

export type Rules = Pick<Settings, "permissions" | "allow" | "ask" | "deny">;

/** The pattern with which `ao` makes the program ask about everything; the user's own is `*`. */
export const ALL = "**";

/** An entry of the user's own configuration. */
export interface OwnRule {
  readonly permission: string;
  readonly pattern: string;
  readonly action: string;
}

/** The entries of `permission` in the program's configuration, in their order, without those of `ao`. */
export function readOwnRules(permission: unknown): readonly OwnRule[] {
  if (typeof permission === "string") return [{ permission: "*", pattern: "*", action: permission }];
  return Object.entries(permission ?? {}).flatMap(([name, entry]: [string, unknown]) => {
    const patterns = typeof entry === "string" ? { "*": entry } : ((entry ?? {}) as Readonly<Record<string, string>>);
    const rules = Object.entries(patterns).map(([pattern, action]) => ({ permission: name, pattern, action }));
    return rules.filter(({ pattern }) => pattern !== ALL);
  });
}

/** What decides a question. */
export interface Grounds {
  readonly settings: Rules;
  readonly own: readonly OwnRule[];
  readonly place: Place;
}

export interface Place {
  readonly cwd: string;
  readonly home: string;
}

/** The fields of a question that rules need. */
export interface Asked {
  readonly permission: string;
  readonly patterns: readonly string[];
  readonly tool: Tool;
}

/**
 * Combines the policy and the user's own entries. What either forbids is not done. What a specific entry allows is not
 * asked; an entry that allows everything yields to the policy.
 */
export function decide({ settings, own, place }: Grounds, asked: Asked): Verdict {
  const verdict = judge(settings, asked.tool, place);
  const found = asked.patterns.map((pattern) => own.findLast((rule) => matches(rule, asked.permission, pattern)));
  if (verdict === "deny" || found.some((rule) => rule?.action === "deny")) return "deny";
  if (verdict === "allow") return "allow";
  // Only a rule of the policy that asks keeps a call from being allowed to one that may do everything.
  const isListed = judge({ ...settings, permissions: "all" }, asked.tool, place) === "ask";
  if (isListed) return "ask";
  if (found.length > 0 && found.every((rule) => rule?.action === "allow" && rule.pattern !== "*")) return "allow";
  // We make it ask about reading only to refuse denied paths; about these it asks by itself.
  const isReading = asked.permission === "read" && [...settings.ask, ...settings.deny].some(isPathRule);
  return isReading && !asked.patterns.some((path) => /\.env(\.|$)/.test(path)) ? "allow" : "ask";
}

function matches(rule: OwnRule, permission: string, pattern: string): boolean {
  return matchesCommand(rule.permission, permission) && matchesCommand(rule.pattern, pattern);
}
