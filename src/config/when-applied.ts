import type { Path } from "./schema-walk.ts";

/** From when a changed setting is used. */
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

/** Ports and names are taken when the daemon starts; what a session was made with stays with it. */
const BY_MACHINE_KEY: Readonly<Record<string, Applies>> = {
  port: "daemon-restart",
  host: "daemon-restart",
  dashboard: "daemon-restart",
  webhooks: "daemon-restart",
  defaults: "new-sessions",
};

/** From when a changed setting is used, without anybody restarting anything. */
export function whenApplied([first, , third]: Path): Applies {
  if (first !== "projects") return BY_MACHINE_KEY[String(first)] ?? "now";
  // A project that the file gained or lost: `ao start` and `ao remove-project` register and remove.
  if (third === undefined) return "registration";
  return BY_PROJECT_KEY[String(third)] ?? "now";
}
