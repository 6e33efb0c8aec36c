import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** How a user has set up an agent, and how the user runs it without `ao`. */
export interface OwnSetup {
  /** The file with rules for all of the user's projects, below the home. */
  readonly rules: string;
  /** The user's configuration, below the home, with a server of the Model Context Protocol in it. */
  readonly config: string;
  addServer(text: string, server: Server): string;
  /** The program itself writes of each run into its configuration; with `ao` the others do not. */
  readonly keepsBook: boolean;
  /** Arguments for one task without a screen. */
  alone(prompt: string): readonly string[];
  /** Variables that `ao` sets too. */
  readonly variables?: Readonly<Record<string, string>>;
}

interface Server {
  readonly command: string;
  readonly args: readonly string[];
}

export const OWN_SETUPS: Readonly<Record<string, OwnSetup>> = {
  "claude-code": {
    rules: ".claude/CLAUDE.md",
    config: ".claude.json",
    addServer: (text, server) => JSON.stringify({ ...parse(text), mcpServers: { mark: { type: "stdio", ...server } } }),
    keepsBook: true,
    alone: (prompt) => [
      ...["-p", "--output-format", "stream-json", "--verbose", "--permission-mode", "acceptEdits"],
      ...["--allowedTools", "Bash", "--", prompt],
    ],
    variables: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" },
  },
  codex: {
    rules: ".codex/AGENTS.md",
    config: ".codex/config.toml",
    addServer: (text, { command, args }) =>
      `${text}[mcp_servers.mark]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`,
    keepsBook: false,
    alone: (prompt) => ["exec", "--json", "--sandbox", "workspace-write", prompt],
  },
  opencode: {
    rules: ".config/opencode/AGENTS.md",
    config: ".config/opencode/opencode.json",
    addServer: (text, { command, args }) =>
      JSON.stringify({ ...parse(text), mcp: { mark: { type: "local", command: [command, ...args], enabled: true } } }),
    keepsBook: false,
    alone: (prompt) => ["run", "--format", "json", prompt],
  },
};

const server = fileURLToPath(new URL("../../fixtures/agents/mcp-server.mjs", import.meta.url));

/** Adds rules and a server to the user's home; the server makes the file `mark` when it is started. */
export function addOwnSetup(
  setup: OwnSetup,
  home: string,
  own: { readonly rule: string; readonly mark: string },
): void {
  const [rules, config] = [setup.rules, setup.config].map((path) => join(home, path)) as [string, string];
  for (const path of [rules, config]) mkdirSync(dirname(path), { recursive: true });
  appendFileSync(rules, `${own.rule}\n`);
  const text = existsSync(config) ? readFileSync(config, "utf8") : "{}";
  writeFileSync(config, setup.addServer(text, { command: process.execPath, args: [server, own.mark] }));
}

function parse(text: string): object {
  return JSON.parse(text) as object;
}
