import type { HomeFolder } from "../bridged/footprint.ts";
import * as folders from "./folders.ts";

/** What is specific to one agent that speaks the Agent Client Protocol. The rest is shared. */
export interface AcpProfile {
  /** The plugin's name. */
  readonly name: string;
  /** What people call it. */
  readonly title: string;
  readonly program: string;
  /** Arguments that make it speak the protocol. */
  readonly args: readonly string[];
  /** The argument that selects the model; null: selected through the protocol. */
  readonly modelFlag: string | null;
  /** The oldest tested version; null: none tested. */
  readonly minVersion: string | null;
  /** How to install it, as a sentence. */
  readonly install: string;
  /** How to log in, as a sentence. */
  readonly login: string;
  /** Variables of the daemon that only this agent gets, because they are secrets or look like secrets. */
  readonly secrets: readonly string[];
  /** Other variables of the user's shell that it needs; a trailing `*` matches any suffix. */
  readonly variables: readonly string[];
  /** Signs of a login that can be seen without calling the service; null if there are none. */
  readonly signs: { readonly variables: readonly string[]; readonly files: readonly string[] } | null;
  /** Folders in the user's home that it writes to. */
  readonly folders: readonly HomeFolder[];
  /**
   * The mode in which it asks before it acts. It is set in every session, whatever the user's own settings say, and the
   * agent does not start without it.
   */
  readonly mode: string;
  /** Differences in its messages; the driver's settings. */
  readonly dialect: Readonly<Record<string, unknown>>;
  /** Variables for every launch; the user's own take precedence. */
  readonly defaults: Readonly<Record<string, string>>;
  /** Variables for every launch, over the user's own: with another value the agent would act without asking. */
  readonly environment: Readonly<Record<string, string>>;
}

const gemini: AcpProfile = {
  name: "gemini",
  title: "Gemini CLI",
  program: "gemini",
  args: ["--acp"],
  modelFlag: "--model",
  minVersion: "0.61.0",
  install: "Install it: `npm install -g @google/gemini-cli`.",
  login: "Log in by running `gemini` once, or set GEMINI_API_KEY.",
  secrets: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  variables: ["GEMINI_*", "GOOGLE_*"],
  signs: {
    variables: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA"],
    files: [".gemini/oauth_creds.json", ".gemini/gemini-credentials.json", ".gemini/.env", ".env"],
  },
  folders: folders.gemini,
  mode: "default",
  dialect: { usage: "turn", commandInTitle: true, replaysLate: true },
  defaults: {},
  environment: {},
};

const copilot: AcpProfile = {
  name: "copilot",
  title: "Copilot CLI",
  program: "copilot",
  args: ["--acp"],
  modelFlag: "--model",
  minVersion: "1.0.102",
  install: "Install it: `npm install -g @github/copilot`.",
  login: "Log in with `copilot login`, or set COPILOT_GITHUB_TOKEN.",
  secrets: ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_PROVIDER_API_KEY"],
  variables: ["COPILOT_*", "GH_HOST"],
  // The login may be in the system's keychain.
  signs: null,
  folders: folders.copilot,
  mode: "agent",
  // In its mode "allow all" it asks nothing.
  dialect: { usage: "process", errorPrefix: "Error: ", options: { allow_all: "off" } },
  defaults: { COPILOT_AUTO_UPDATE: "false" },
  environment: { COPILOT_ALLOW_ALL: "false" },
};

const kimicode: AcpProfile = {
  name: "kimicode",
  title: "Kimi Code",
  program: "kimi",
  args: ["acp"],
  modelFlag: null,
  minVersion: "2.1.0",
  install: "Install it: `npm install -g @moonshot-ai/kimi-code`; it runs on Node 22.15 or newer.",
  login: "Log in with `kimi login`, or name a provider in ~/.kimi-code/config.toml.",
  secrets: ["KIMI_API_KEY", "MOONSHOT_API_KEY"],
  variables: ["KIMI_*", "MOONSHOT_*"],
  signs: {
    variables: ["KIMI_API_KEY", "MOONSHOT_API_KEY"],
    files: [".kimi-code/config.toml", ".kimi-code/credentials"],
  },
  folders: folders.kimicode,
  mode: "default",
  // It reports how full its context is, but not its usage.
  dialect: { usage: "none" },
  defaults: {},
  environment: {},
};

const qwen: AcpProfile = {
  name: "qwen",
  title: "Qwen Code",
  program: "qwen",
  args: ["--acp"],
  modelFlag: "--model",
  minVersion: "0.15.10",
  install: "Install it: `npm install -g @qwen-code/qwen-code`.",
  login: "Log in by running `qwen` once, or set OPENAI_API_KEY with OPENAI_BASE_URL and OPENAI_MODEL.",
  secrets: ["OPENAI_API_KEY", "DASHSCOPE_API_KEY", "BAILIAN_CODING_PLAN_API_KEY"],
  variables: ["QWEN_*", "OPENAI_*", "DASHSCOPE_*", "BAILIAN_*"],
  signs: {
    variables: ["OPENAI_API_KEY", "DASHSCOPE_API_KEY", "BAILIAN_CODING_PLAN_API_KEY"],
    files: [".qwen/oauth_creds.json", ".qwen/settings.json", ".qwen/.env"],
  },
  folders: folders.qwen,
  // It starts in its mode "auto", in which a second model decides what a person is asked.
  mode: "default",
  dialect: {
    usage: "none",
    // Two of its choices write to the user's and the workspace's settings.
    hide: ["proceed_always_project", "proceed_always_user"],
    // After each turn it asks the model what the user might type next and what to remember: paid for nobody.
    defaults: {
      variable: "QWEN_CODE_SYSTEM_DEFAULTS_PATH",
      own: ["/etc/qwen-code/system-defaults.json", "/Library/Application Support/QwenCode/system-defaults.json"],
      content: {
        ui: { enableFollowupSuggestions: false },
        memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
      },
    },
  },
  defaults: {},
  environment: {},
};

const goose: AcpProfile = {
  name: "goose",
  title: "Goose",
  program: "goose",
  args: ["acp"],
  modelFlag: null,
  minVersion: null,
  install: "Install it as block.github.io/goose says.",
  login: "Choose a provider with `goose configure`.",
  secrets: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GOOGLE_API_KEY", "OPENROUTER_API_KEY"],
  variables: ["GOOSE_*", "ANTHROPIC_*", "OPENAI_*", "GOOGLE_*", "OPENROUTER_*", "OLLAMA_*", "AWS_*"],
  signs: { variables: ["GOOSE_PROVIDER"], files: [".config/goose/config.yaml"] },
  folders: folders.goose,
  // It starts in its mode "auto", which acts without asking.
  mode: "approve",
  dialect: { usage: "turn" },
  defaults: {},
  environment: { GOOSE_MODE: "approve" },
};

export const PROFILES = { gemini, copilot, kimicode, qwen, goose } as const;
