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
  /** The user's login: a file below the home, and the configuration that then needs no key. */
  readonly login?: { readonly file: string; readonly text: string; withoutKey(config: string): string };
  /** The program records each run in its own configuration; with `ao` the others do not. */
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

/** The key of the user's own login. */
export const OWN_KEY = "sk-own";

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
    login: {
      file: ".codex/auth.json",
      text: JSON.stringify({ auth_mode: "apikey", OPENAI_API_KEY: OWN_KEY }),
      withoutKey: (config) => config.replace('env_key = "LOCAL_KEY"', "requires_openai_auth = true"),
    },
    keepsBook: false,
    alone: (prompt) => ["exec", "--json", "--sandbox", "workspace-write", prompt],
  },
  opencode: {
    rules: ".config/opencode/AGENTS.md",
    config: ".config/opencode/opencode.json",
    addServer: (text, { command, args }) =>
      JSON.stringify({ ...parse(text), mcp: { mark: { type: "local", command: [command, ...args], enabled: true } } }),
    login: {
      file: ".local/share/opencode/auth.json",
      text: JSON.stringify({ local: { type: "api", key: OWN_KEY } }),
      withoutKey: (config) => config.replace(',"apiKey":"sk-test"', ""),
    },
    keepsBook: false,
    alone: (prompt) => ["run", "--format", "json", prompt],
  },
};

const server = fileURLToPath(new URL("../../fixtures/agents/mcp-server.mjs", import.meta.url));

/** Adds rules, a login and a server to the user's home; the server makes the file `mark` when it is started. */
export function addOwnSetup(
  setup: OwnSetup,
  home: string,
  own: { readonly rule: string; readonly mark: string },
): void {
  const [rules, config] = [setup.rules, setup.config].map((path) => join(home, path)) as [string, string];
  for (const path of [rules, config]) mkdirSync(dirname(path), { recursive: true });
  appendFileSync(rules, `${own.rule}\n`);
  const text = existsSync(config) ? readFileSync(config, "utf8") : "{}";
  const withServer = setup.addServer(text, { command: process.execPath, args: [server, own.mark] });
  writeFileSync(config, setup.login?.withoutKey(withServer) ?? withServer);
  if (setup.login === undefined) return;
  mkdirSync(dirname(join(home, setup.login.file)), { recursive: true });
  writeFileSync(join(home, setup.login.file), setup.login.text);
}

function parse(text: string): object {
  return JSON.parse(text) as object;
}
