import { isAbsolute, join, normalize, relative } from "node:path";
import { matchesCommand, parseCommand, unwrapCommand } from "./commands.ts";
import type { Tool } from "./tool.ts";

export type Verdict = "allow" | "deny" | "ask";

/** What a session may do without asking. */
export interface Policy {
  readonly permissions: "ask" | "edits" | "all";
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

/** Where relative paths and `~` of rules and tools point. */
export interface Place {
  readonly cwd: string;
  readonly home: string;
}

/** What one policy says to a tool that the agent asks about. Whatever is not known for certain is for a person. */
export function judge(rules: Policy, tool: Tool, place: Place): Verdict {
  const deny = sort(rules.deny, place);
  const allow = sort(rules.allow, place);
  const paths = tool.paths.map((path) => resolve(path, place));
  const command = tool.command === null ? null : parseCommand(tool.command);
  const isDenied = (part: string): boolean =>
    deny.commands.some((rule) => matchesCommand(rule, part) || matchesCommand(rule, unwrapCommand(part)));
  if (command?.parts.some(isDenied) || paths.some((path) => matchesAny(deny.paths, path))) return "deny";
  if (command?.parts.some((part) => namesPath(part, deny.paths, place))) return "deny";
  // A command that may be one of the denied ones, since nobody says what it is.
  if (tool.kind === "execute" && command === null && rules.deny.length > 0) return "ask";
  if (command?.isPlain && command.parts.length > 0) {
    if (command.parts.every((part) => allow.commands.some((rule) => matchesCommand(rule, part)))) return "allow";
  }
  const isFile = FILE_KINDS.includes(tool.kind) && command === null && paths.length > 0;
  if (isFile && paths.every((path) => matchesAny(allow.paths, path))) return "allow";
  if (rules.permissions === "all") return "allow";
  if (rules.permissions === "edits" && isFile && paths.every((path) => isInside(path, place.cwd))) return "allow";
  return "ask";
}

const FILE_KINDS = ["read", "edit", "delete", "move", "search"];

function sort(entries: readonly string[], place: Place): { readonly commands: string[]; readonly paths: string[] } {
  return {
    commands: entries.filter((entry) => !isPathRule(entry)),
    paths: entries.filter(isPathRule).map((entry) => resolve(entry, place)),
  };
}

/** Is an entry of `allow` or `deny` about a path, and not about a command? */
export function isPathRule(entry: string): boolean {
  return /^(\/|~\/|\.\.?\/)/.test(entry);
}

function resolve(path: string, { cwd, home }: Place): string {
  if (path.startsWith("~/")) return join(home, path.slice(2));
  return isAbsolute(path) ? normalize(path) : join(cwd, path);
}

function matchesAny(patterns: readonly string[], path: string): boolean {
  return patterns.some((pattern) => toPattern(pattern).test(path));
}

// `*` stays within a folder, `**` does not; a rule about a folder is one about all that is in it.
function toPattern(glob: string): RegExp {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*\*\/?|\*|\?/g, (star) => (star.startsWith("**") ? ".*" : star === "*" ? "[^/]*" : "[^/]"));
  return new RegExp(`^${source.replace(/\/$/, "")}(/.*)?$`, "s");
}

// A word of a command that is a denied path, such as in `cat ./secrets/key`.
function namesPath(part: string, patterns: readonly string[], place: Place): boolean {
  if (patterns.length === 0) return false;
  const words = part.split(/[\s=<>]+/).map((word) => word.replace(/^["']|["']$/g, ""));
  return words.some((word) => /[/.]/.test(word) && matchesAny(patterns, resolve(word, place)));
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && !way.startsWith("..") && !isAbsolute(way) && !/^\.git(\/|$)/.test(way);
}
