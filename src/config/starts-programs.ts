import type { Path } from "./schema-walk.ts";

/** Keys of a project that name programs, choose who runs them and with which rights, or decide what is merged. */
const PROJECT_KEYS = new Set([
  "agent",
  "agentConfig",
  "agentRules",
  "agentRulesFile",
  "checks",
  "env",
  "gitIdentity",
  "mainGuard",
  "path",
  "policies",
  "postCreate",
  "preRemove",
  "reactions",
  "reviewer",
  "runtime",
  "scm",
  "symlinks",
  "tracker",
  "trust",
  "workspace",
  "worktreeDir",
]);
const MACHINE_KEYS = new Set(["agents", "dashboard", "defaults", "hooks", "host", "notifiers", "plugins", "webhooks"]);

/** Can this setting start a program, widen what agents may do, or change what is merged? */
export function hasConsequences([first, , third]: Path): boolean {
  if (first !== "projects") return MACHINE_KEYS.has(String(first));
  // A whole project that was added or removed.
  return third === undefined || PROJECT_KEYS.has(String(third));
}
