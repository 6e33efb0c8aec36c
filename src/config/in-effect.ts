import { PLUGIN_NAMES } from "./plugin-names.ts";
import { isOnForge, toPluginRef } from "./plugin-ref.ts";
import { pluginUses } from "./plugin-use.ts";
import { formatPath } from "./problem.ts";
import type { WrittenConfig } from "./schema.ts";
import type { Path } from "./schema-walk.ts";

/** Implemented keys, with everything below them; `*` matches any one key. */
const IN_EFFECT: readonly string[] = [
  "$schema",
  "port",
  "host",
  "defaults.runtime",
  "defaults.agent",
  "defaults.workspace",
  "defaults.tracker",
  "projects.*.name",
  "projects.*.path",
  "projects.*.repo",
  "projects.*.defaultBranch",
  "projects.*.sessionPrefix",
  "projects.*.runtime",
  "projects.*.agent",
  "projects.*.workspace",
  "projects.*.tracker",
  "projects.*.env",
  "projects.*.agentConfig",
  "projects.*.agentRules",
  "projects.*.agentRulesFile",
  "projects.*.symlinks",
  "projects.*.postCreate",
  "projects.*.preRemove",
  "projects.*.worktreeDir",
  "projects.*.gitIdentity",
  "projects.*.limits.perProject",
  "projects.*.limits.reruns",
  "limits.parallelAgents",
  "limits.perProject",
  "limits.ciRuns",
  "limits.reruns",
  ...["costPerSession", "costPerTask", "costPerDay"].flatMap((name) => [`limits.${name}`, `projects.*.limits.${name}`]),
  "prices",
  "orchestrator.maxParallelAgents",
  "orchestrator.max_parallel_agents",
  "dashboard",
  "webhooks",
  "defaults.scm",
  "defaults.notifiers",
  "notifiers",
  "notificationRouting",
  "hooks",
  "lifecycle.autoCleanupOnMerge",
  "lifecycle.hibernateAfter",
  "orchestrator.reactionHandlers",
  "orchestrator.reaction_handlers",
  "projects.*.scm",
  ...["run", "setup", "timeout", "required", "on", "sandbox"].map((name) => `projects.*.checks.*.${name}`),
  "projects.*.openPullRequest",
  "projects.*.train",
  "projects.*.mainGuard",
  "policies",
  "projects.*.policies",
  "trust",
  "projects.*.trust",
  "reactions",
  "projects.*.reactions",
];

/** Groups without any implemented key whose members are still listed one by one. */
const GROUPS: readonly string[] = ["projects.*.checks", "notifiers", "notificationRouting", "lifecycle", "power"];

const built = IN_EFFECT.map((pattern) => pattern.split("."));
const groups = GROUPS.map((pattern) => pattern.split("."));

/** Is this key implemented? For a parent key: is any of its keys? */
export function isInEffect(path: Path): boolean {
  return built.some((pattern) => {
    const common = Math.min(pattern.length, path.length);
    return matches(pattern.slice(0, common), path.slice(0, common));
  });
}

/** Keys in the file that have no effect: `power.preventIdleSleep: not implemented yet, ignored`, one line per key. */
export function listNotInEffect(written: WrittenConfig): readonly string[] {
  const out: string[] = [];
  function visit(value: unknown, path: Path): void {
    if (value === undefined) return;
    if (isUnusedRepository(written, path)) {
      out.push(`${formatPath(path)}: has no effect without a forge; set tracker to github or gitlab`);
      return;
    }
    if (isBuilt(path)) return;
    const isGroup = groups.some((pattern) => matches(pattern, path)) || isInEffect(path);
    if (isGroup && value !== null && typeof value === "object" && !Array.isArray(value)) {
      for (const [key, child] of Object.entries(value)) visit(child, [...path, key]);
    } else {
      out.push(`${formatPath(path)}: not implemented yet, ignored`);
    }
  }
  visit(written, []);
  return out;
}

/** The `repo` of a project whose tracker and scm are both without a forge. */
function isUnusedRepository(written: WrittenConfig, path: Path): boolean {
  const [group, id, name] = path;
  if (group !== "projects" || name !== "repo" || path.length !== 3) return false;
  const project = written.projects?.[String(id)];
  const refs = [project?.tracker ?? written.defaults?.tracker, project?.scm ?? written.defaults?.scm];
  return !refs.some((ref) => ref !== undefined && isOnForge(toPluginRef(ref).plugin));
}

/** Plugins in the file that this version lacks: `defaults.agent: claude-code is not in this version`. */
export function listNotInVersion(written: WrittenConfig): readonly string[] {
  return pluginUses(written).flatMap(({ slot, name, path }) =>
    isBuilt(path) && PLUGIN_NAMES[slot].planned.includes(name)
      ? [`${formatPath(path)}: ${name} is not in this version`]
      : [],
  );
}

function isBuilt(path: Path): boolean {
  return built.some((pattern) => pattern.length <= path.length && matches(pattern, path.slice(0, pattern.length)));
}

function matches(pattern: readonly string[], path: Path): boolean {
  return pattern.length === path.length && pattern.every((part, index) => part === "*" || fits(part, path[index]));
}

/** `<name>` in a help path matches any name. */
function fits(part: string, written: string | number | undefined): boolean {
  return part === written || written === "<name>" || written === "<id>";
}
