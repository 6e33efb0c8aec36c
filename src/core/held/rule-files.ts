/** Files that configure `ao` wherever they are: the configuration that a folder finds, and what a worktree gets. */
export const CONFIGURATION_FILES: readonly string[] = [
  "**/agent-orchestrator.yaml",
  "**/.ao/**",
  "**/.worktreeinclude",
];

/** Files of a repository that the supported agents obey: instructions, settings, hooks, commands, skills, MCP servers. */
export const RULE_FILES: readonly string[] = [
  // Read by several agents.
  "**/AGENTS.md",
  "**/AGENTS.override.md",
  "**/AGENT.md",
  "**/.agents/**",
  "**/.mcp.json",
  // Claude Code
  "**/CLAUDE.md",
  "**/CLAUDE.local.md",
  "**/.claude/**",
  // Codex
  "**/.codex/**",
  // Gemini CLI and Qwen Code
  "**/GEMINI.md",
  "**/.gemini/**",
  "**/QWEN.md",
  "**/.qwen/**",
  // Cursor
  "**/.cursor/**",
  "**/.cursorrules",
  // Copilot CLI
  "**/.copilot/**",
  "**/.vscode/mcp.json",
  ".github/copilot-instructions.md",
  ".github/{agents,chatmodes,copilot,extensions,hooks,instructions,mcp,prompts,skills}/**",
  ".github/mcp.json",
  // OpenCode
  "**/opencode.json",
  "**/opencode.jsonc",
  "**/.opencode/**",
  // Goose
  "**/.goosehints",
  "**/.goosehints.local",
  "**/.goose/**",
  // Kimi
  "**/.kimi/**",
  "**/.kimi-code/**",
  // Aider
  "**/.aider.conf.yml",
  "**/.aider.model.settings.yml",
  "**/.aider.model.metadata.json",
];
