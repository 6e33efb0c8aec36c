import { join } from "node:path";
import type { AgentFolder, Footprint } from "../../../ports/agent.ts";

const FOLDER: Omit<AgentFolder, "path"> = {
  // Other fields of the file are settings of plugins.
  logins: [{ name: ".credentials.json", fields: ["claudeAiOauth", "mcpOAuth", "organizationUuid"] }],
  conversations: ["projects", "file-history", "todos", "tasks", "plans"],
  omitted: [
    ...["backups", "cache", "debug", "downloads", "history.jsonl", "jobs", "paste-cache", "session-env", "sessions"],
    ...["shell-snapshots", "statsig", "telemetry", "uploads"],
    // With the tokens in these it could reach the user's editor and Claude Code's daemon.
    ...["daemon", "daemon.json", "ide"],
  ],
};

/** Where Claude Code keeps its files. */
export function claudeFootprint({
  CLAUDE_CONFIG_DIR,
  HOME = "",
}: Readonly<Record<string, string | undefined>>): Footprint {
  if (CLAUDE_CONFIG_DIR) return { folders: [{ ...FOLDER, path: CLAUDE_CONFIG_DIR }], network: true };
  const path = join(HOME, ".claude");
  // It replaces ~/.claude.json as a whole, which it could not do in a home that is read-only; with the variable the file
  // is in the folder.
  const adopted = { ".claude.json": join(HOME, ".claude.json") };
  return { folders: [{ ...FOLDER, path, adopted }], environment: { CLAUDE_CONFIG_DIR: path }, network: true };
}
