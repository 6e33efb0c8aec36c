import type { CreateDriver } from "./driver.ts";

/** Every driver by the name that is given on the command line; only the one that is asked for is loaded. */
export const DRIVERS: Readonly<Record<string, () => Promise<CreateDriver>>> = {
  claude: async () => (await import("./drivers/claude/claude.ts")).createClaudeDriver,
  codex: async () => (await import("./drivers/codex/codex.ts")).createCodexDriver,
  opencode: async () => (await import("./drivers/opencode/opencode.ts")).createOpencodeDriver,
  acp: async () => (await import("./drivers/acp/acp.ts")).createAcpDriver,
  aider: async () => (await import("./drivers/headless/aider/aider.ts")).createAiderDriver,
  cursor: async () => (await import("./drivers/headless/cursor/cursor.ts")).createCursorDriver,
};
