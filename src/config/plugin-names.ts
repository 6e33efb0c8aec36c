/** Adapters by slot. Planned ones are valid and reported as "not in this version", never as unknown. */
export type NamedSlot = "runtime" | "agent" | "workspace" | "tracker" | "scm" | "notifier" | "terminal";

interface SlotNames {
  readonly available: readonly string[];
  readonly planned: readonly string[];
}

export const PLUGIN_NAMES: Readonly<Record<NamedSlot, SlotNames>> = {
  runtime: { available: ["process", "tmux"], planned: ["docker", "podman", "kubernetes", "ssh"] },
  agent: {
    available: [
      "command",
      "rehearsal",
      "claude-code",
      "codex",
      "opencode",
      "gemini",
      "copilot",
      "kimicode",
      "qwen",
      "goose",
      "aider",
      "cursor",
      "acp",
    ],
    planned: [],
  },
  workspace: { available: ["worktree", "clone"], planned: [] },
  tracker: { available: ["local", "github", "gitlab", "linear", "jira"], planned: [] },
  scm: { available: ["local", "github", "gitlab"], planned: [] },
  notifier: {
    available: ["desktop", "slack", "discord", "webhook"],
    planned: ["composio", "openclaw", "telegram", "email"],
  },
  terminal: { available: [], planned: ["web", "tmux", "iterm2", "vscode", "plain"] },
};

/** Every available or planned name of a slot. */
export function namesOf(slot: NamedSlot): readonly string[] {
  return [...PLUGIN_NAMES[slot].available, ...PLUGIN_NAMES[slot].planned];
}
