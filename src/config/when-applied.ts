import type { Path } from "./schema-walk.ts";

/** When a changed setting takes effect. */
type Applies = "now" | "next-start" | "new-sessions" | "daemon-restart" | "registration";

const BY_PROJECT_KEY: Readonly<Record<string, Applies>> = {
  env: "next-start",
  gitIdentity: "next-start",
  agentRules: "next-start",
  agentRulesFile: "next-start",
  agent: "new-sessions",
  agentConfig: "new-sessions",
  runtime: "new-sessions",
  workspace: "new-sessions",
  worktreeDir: "new-sessions",
  symlinks: "new-sessions",
  postCreate: "new-sessions",
  sessionPrefix: "new-sessions",
  defaultBranch: "new-sessions",
  path: "registration",
};

/** Ports and names are read when the daemon starts; a session keeps the settings it was created with. */
const BY_MACHINE_KEY: Readonly<Record<string, Applies>> = {
  port: "daemon-restart",
  host: "daemon-restart",
  dashboard: "daemon-restart",
  webhooks: "daemon-restart",
  defaults: "new-sessions",
};

/** When a changed setting takes effect without a restart by the user. */
export function whenApplied([first, , third]: Path): Applies {
  if (first !== "projects") return BY_MACHINE_KEY[String(first)] ?? "now";
  // A project added to or removed from the file: `ao start` and `ao remove-project` register and remove projects.
  if (third === undefined) return "registration";
  return BY_PROJECT_KEY[String(third)] ?? "now";
}
