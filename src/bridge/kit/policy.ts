import { isAbsolute, relative } from "node:path";
import { matchesCommand, type Parsed, parseCommand, unwrapCommand } from "./commands.ts";
import { createPathTest, isPathRule, type Place, resolvePath } from "./path-rules.ts";
import type { Tool } from "./tool.ts";

export type Verdict = "allow" | "deny" | "ask";

/** What a session may do without asking. */
export interface Policy {
  readonly permissions: "ask" | "edits" | "all";
  readonly allow: readonly string[];
  /** Over `allow` and `permissions`. */
  readonly ask?: readonly string[];
  /** Over `ask`. */
  readonly deny: readonly string[];
}

/** What a policy decides about a tool call. A person decides about whatever is uncertain. */
export function judge(rules: Policy, tool: Tool, place: Place): Verdict {
  const paths = tool.paths.map((path) => resolvePath(path, place));
  const command = tool.command === null ? null : parseCommand(tool.command);
  const isNamed = (entries: readonly string[]): boolean => {
    const by = sort(entries, place);
    return paths.some(by.coversPath) || (command !== null && isNamedIn(command, by, place));
  };
  const { ask = [], deny } = rules;
  if (isNamed(deny)) return "deny";
  // An unknown command may be one of those that are denied or asked about.
  const isUnknown = tool.kind === "execute" && command === null;
  if (isNamed(ask) || (isUnknown && ask.length + deny.length > 0)) return "ask";
  return judgeUnnamed(rules, { tool, paths, command }, place);
}

/** A tool call with its paths resolved and its command parsed. */
interface Call {
  readonly tool: Tool;
  readonly paths: readonly string[];
  readonly command: Parsed | null;
}

function judgeUnnamed(rules: Policy, { tool, paths, command }: Call, place: Place): Verdict {
  const allow = sort(rules.allow, place);
  if (command !== null && isAllowed(command, allow)) return "allow";
  const isFile = FILE_KINDS.includes(tool.kind) && command === null && paths.length > 0;
  if (isFile && paths.every(allow.coversPath)) return "allow";
  if (rules.permissions === "all") return "allow";
  if (rules.permissions === "edits" && isFile && paths.every((path) => isInside(path, place.cwd))) return "allow";
  return "ask";
}

// One of its parts is enough.
function isNamedIn({ parts, suspects }: Parsed, by: Sorted, place: Place): boolean {
  const matches = (part: string): boolean =>
    by.commands.some((rule) => matchesCommand(rule, part) || matchesCommand(rule, unwrapCommand(part)));
  return [...parts, ...suspects].some((part) => matches(part) || namesPath(part, by, place));
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

// A word of a command that is such a path, as in `cat ./secrets/key`.
function namesPath(part: string, by: Sorted, place: Place): boolean {
  if (!by.hasPaths) return false;
  const words = part.split(/[\s=<>]+/).map((word) => word.replace(/^["']|["']$/g, ""));
  return words.some((word) => /[/.]/.test(word) && by.coversPath(resolvePath(word, place)));
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && !way.startsWith("..") && !isAbsolute(way) && !/^\.git(\/|$)/.test(way);
}
