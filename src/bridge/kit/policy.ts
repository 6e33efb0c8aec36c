import { isAbsolute, relative } from "node:path";
import { matchesCommand, type Parsed, parseCommand, unwrapCommand } from "./commands.ts";
import { createPathTest, isPathRule, type Place, resolvePath } from "./path-rules.ts";
import type { Tool } from "./tool.ts";

export type Verdict = "allow" | "deny" | "ask";

/** What a session may do without asking. */
export interface Policy {
  readonly permissions: "ask" | "edits" | "all";
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

/** What a policy decides about a tool call. A person decides about whatever is uncertain. */
export function judge(rules: Policy, tool: Tool, place: Place): Verdict {
  const paths = tool.paths.map((path) => resolvePath(path, place));
  const command = tool.command === null ? null : parseCommand(tool.command);
  const deny = sort(rules.deny, place);
  if (paths.some(deny.coversPath) || (command !== null && isDenied(command, deny, place))) return "deny";
  // An unknown command may be one of the denied ones.
  if (tool.kind === "execute" && command === null && rules.deny.length > 0) return "ask";
  const allow = sort(rules.allow, place);
  if (command !== null && isAllowed(command, allow)) return "allow";
  const isFile = FILE_KINDS.includes(tool.kind) && command === null && paths.length > 0;
  if (isFile && paths.every(allow.coversPath)) return "allow";
  if (rules.permissions === "all") return "allow";
  if (rules.permissions === "edits" && isFile && paths.every((path) => isInside(path, place.cwd))) return "allow";
  return "ask";
}

function isDenied({ parts, suspects }: Parsed, deny: Sorted, place: Place): boolean {
  const matches = (part: string): boolean =>
    deny.commands.some((rule) => matchesCommand(rule, part) || matchesCommand(rule, unwrapCommand(part)));
  return [...parts, ...suspects].some((part) => matches(part) || namesPath(part, deny, place));
}

function isAllowed({ parts, isPlain }: Parsed, allow: Sorted): boolean {
  const matches = (part: string): boolean => allow.commands.some((rule) => matchesCommand(rule, part));
  return isPlain && parts.length > 0 && parts.every(matches);
}

const FILE_KINDS = ["read", "edit", "delete", "move", "search"];

interface Sorted {
  readonly commands: readonly string[];
  readonly hasPaths: boolean;
  coversPath(path: string): boolean;
}

function sort(entries: readonly string[], place: Place): Sorted {
  const paths = entries.filter(isPathRule);
  const commands = entries.filter((entry) => !isPathRule(entry));
  return { commands, hasPaths: paths.length > 0, coversPath: createPathTest(paths, place) };
}

// A word of a command that is a denied path, such as in `cat ./secrets/key`.
function namesPath(part: string, deny: Sorted, place: Place): boolean {
  if (!deny.hasPaths) return false;
  const words = part.split(/[\s=<>]+/).map((word) => word.replace(/^["']|["']$/g, ""));
  return words.some((word) => /[/.]/.test(word) && deny.coversPath(resolvePath(word, place)));
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && !way.startsWith("..") && !isAbsolute(way) && !/^\.git(\/|$)/.test(way);
}
