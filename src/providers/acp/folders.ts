import type { HomeFolder } from "../bridged/footprint.ts";

/** The fields of an OAuth token. Others, such as Qwen's `resource_url`, decide which server the user's programs ask. */
const TOKEN = ["access_token", "refresh_token", "scope", "token_type", "id_token", "expiry_date"];

/** Where each program keeps its files in the user's home. */
export const gemini: readonly HomeFolder[] = [
  {
    path: ".gemini",
    variable: "GEMINI_CLI_HOME",
    below: ".gemini",
    logins: [
      { name: "oauth_creds.json", fields: TOKEN },
      { name: "gemini-credentials.json", isOpaque: true },
    ],
    conversations: ["tmp", "history", "projects.json"],
  },
];

export const copilot: readonly HomeFolder[] = [
  {
    path: ".copilot",
    variable: "COPILOT_HOME",
    conversations: ["session-state", "history-session-state", "session-store*"],
    omitted: ["logs", "ide"],
  },
  { path: ".cache/copilot" },
];

export const kimicode: readonly HomeFolder[] = [
  {
    path: ".kimi-code",
    variable: "KIMI_CODE_HOME",
    conversations: ["sessions", "session_index.jsonl", "workspaces.json"],
    omitted: ["cache", "logs"],
  },
  {
    path: ".kimi-code/credentials",
    variable: "KIMI_CODE_HOME",
    below: "credentials",
    logins: [{ name: "kimi-code.json", fields: [...TOKEN, "expires_at", "expires_in"] }],
  },
];

export const qwen: readonly HomeFolder[] = [
  {
    path: ".qwen",
    variable: "QWEN_HOME",
    logins: [{ name: "oauth_creds.json", fields: TOKEN }],
    conversations: ["projects", "tmp"],
    omitted: ["debug", "logs"],
  },
];

export const goose: readonly HomeFolder[] = [
  { path: ".local/share/goose", conversations: ["sessions", "projects.json"] },
  { path: ".local/state/goose", omitted: ["logs"] },
  { path: ".config/goose" },
];
