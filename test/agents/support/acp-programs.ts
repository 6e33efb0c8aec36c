import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { settingsOf } from "../../../src/providers/acp/agent.ts";
import { type AcpProfile, PROFILES } from "../../../src/providers/acp/profiles.ts";
import type { Place } from "./bridge.ts";
import { claudeEnvironment } from "./claude.ts";
import { codexEnvironment } from "./codex.ts";
import { type DriverContract, UNLISTED } from "./driver-contract.ts";
import type { ModelServer } from "./model-server.ts";
import { findProgram } from "./programs.ts";

/** A real program, as it is installed for tests. */
export interface RealAgent {
  /** The plugin's name. */
  readonly plugin: string;
  /** The folder of the program. */
  readonly program: string;
  readonly title: string;
  /** With its arguments; null when it is not installed. */
  readonly command: readonly string[] | null;
  /** The driver's settings without the command and the policy. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The configuration of a project in which it needs nobody, without the command. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly contract: Omit<DriverContract, "settings" | "driver" | "name">;
}

/** An agent with a profile. */
function profiled(
  profile: AcpProfile,
  program: string | null,
  { environment, loosen, ...contract }: RealAgent["contract"],
): RealAgent {
  return {
    plugin: profile.name,
    program: profile.name,
    title: profile.title,
    command: program === null ? null : [program, ...profile.args],
    settings: settingsOf(profile),
    contract: {
      ...contract,
      environment: (place, model) => ({ ...profile.defaults, ...environment(place, model), ...profile.environment }),
      loosen: (place) => ({ ...loosen?.(place), ...profile.environment }),
    },
  };
}

const LIMIT_MS = 300_000;

function write(place: Place, path: string, text: string): void {
  const file = join(place.home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function read(place: Place, path: string): string {
  return readFileSync(join(place.home, path), "utf8");
}

function withFiles(
  files: (model: ModelServer) => Readonly<Record<string, string>>,
  env: (model: ModelServer) => Readonly<Record<string, string>>,
): DriverContract["environment"] {
  return (place, model) => {
    for (const [path, text] of Object.entries(files(model))) write(place, path, text);
    return env(model);
  };
}

const gemini = profiled(PROFILES.gemini, findProgram("gemini", "gemini"), {
  environment: withFiles(
    () => ({
      ".gemini/settings.json": JSON.stringify({
        security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
      }),
    }),
    ({ url }) => ({ GEMINI_API_KEY: "sk-test", GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: "true" }),
  ),
  loosen: (place) => {
    const settings = JSON.parse(read(place, ".gemini/settings.json")) as { general: object };
    const general = { ...settings.general, defaultApprovalMode: "auto_edit" };
    write(place, ".gemini/settings.json", JSON.stringify({ ...settings, general }));
    return {};
  },
  process: "gemini",
  forgets: true,
  usage: "turns",
  hidesCache: true,
  errors: [401],
  limitMs: LIMIT_MS,
});

const copilot = profiled(PROFILES.copilot, findProgram("copilot", "copilot"), {
  environment: (_, { url }) => ({
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_TYPE: "openai",
    COPILOT_PROVIDER_API_KEY: "sk-test",
    COPILOT_MODEL: "scripted",
    COPILOT_OFFLINE: "true",
    COPILOT_PROVIDER_MAX_PROMPT_TOKENS: "2000000",
  }),
  loosen: () => ({ COPILOT_ALLOW_ALL: "true" }),
  process: "copilot",
  usage: "turns",
  // It names those of an account, and not one of another provider.
  hidesModel: true,
  errors: [401, 500],
  limitMs: LIMIT_MS,
});

// Some need a newer Node than ao does.
const node24 = process.platform === "linux" && process.arch === "x64" ? findProgram("node24", "node") : null;

const withNode24 = (): Record<string, string> =>
  node24 === null ? {} : { PATH: `${dirname(node24)}:${process.env["PATH"]}` };

const kimicode = profiled(PROFILES.kimicode, node24 === null ? null : findProgram("kimicode", "kimi"), {
  environment: withFiles(
    ({ url }) => ({
      ".kimi-code/config.toml": [
        'default_model = "local"',
        "telemetry = false",
        "[providers.local]",
        'type = "openai"',
        `base_url = "${url}/v1"`,
        'api_key = "sk-test"',
        "[models.local]",
        'provider = "local"',
        'model = "scripted"',
        "max_context_size = 2000000",
        'capabilities = ["tool_use"]',
      ].join("\n"),
    }),
    withNode24,
  ),
  loosen: (place) => {
    write(
      place,
      ".kimi-code/config.toml",
      `default_permission_mode = "yolo"\n${read(place, ".kimi-code/config.toml")}`,
    );
    return {};
  },
  process: "kimi",
  usage: "none",
  errors: [401],
  limitMs: LIMIT_MS,
});

const qwen = profiled(PROFILES.qwen, findProgram("qwen", "qwen"), {
  environment: withFiles(
    () => ({ ".qwen/settings.json": JSON.stringify({ security: { auth: { selectedType: "openai" } } }) }),
    ({ url }) => ({
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_API_KEY: "sk-test",
      OPENAI_MODEL: "scripted",
      ...withNode24(),
    }),
  ),
  loosen: (place) => {
    const settings = { security: { auth: { selectedType: "openai" } }, tools: { approvalMode: "yolo" } };
    write(place, ".qwen/settings.json", JSON.stringify(settings));
    return {};
  },
  process: "qwen",
  usage: "calls",
  errors: [401],
  limitMs: LIMIT_MS,
});

const goose = profiled(PROFILES.goose, findProgram("goose", "goose"), {
  environment: (_, { url }) => ({
    GOOSE_PROVIDER: "openai",
    GOOSE_MODEL: "scripted",
    GOOSE_DISABLE_KEYRING: "1",
    OPENAI_HOST: url,
    OPENAI_API_KEY: "sk-test",
  }),
  loosen: () => ({ GOOSE_MODE: "auto" }),
  process: "goose",
  // It reports the last model call of each turn only.
  usage: "none",
  errors: [401],
  limitMs: LIMIT_MS,
});

/** The vendors' agents by the adapters that others write for the protocol: the plugin `acp` with a command line. */
function adapter(program: string, title: string, contract: RealAgent["contract"]): RealAgent {
  const path = findProgram(program, program);
  const own = { name: title };
  return {
    plugin: "acp",
    program,
    title,
    command: path === null ? null : [path],
    settings: own,
    config: own,
    contract,
  };
}

const claudeAcp = adapter("claude-agent-acp", "Claude Agent", {
  environment: (_, model) => ({ ...claudeEnvironment(model), ...withNode24() }),
  loosen: (place) => {
    write(place, ".claude/settings.json", JSON.stringify({ permissions: { defaultMode: "acceptEdits" } }));
    return {};
  },
  process: "claude-agent-acp",
  // After a turn it asks the model what the user might type next, and does not report that call.
  usage: "none",
  errors: [401],
  limitMs: LIMIT_MS,
});

const codexAcp = adapter("codex-acp", "Codex by ACP", {
  environment: (place, model) => ({ ...codexEnvironment(place, model), ...withNode24() }),
  loosen: (place) => {
    const loose = 'approval_policy = "never"\nsandbox_mode = "danger-full-access"\n';
    write(place, ".codex/config.toml", `${loose}${read(place, ".codex/config.toml")}`);
    return {};
  },
  confines: true,
  // Its sandbox does not let it write to the repository's git folder.
  only: [UNLISTED],
  process: "codex-acp",
  usage: "turns",
  errors: [401],
  limitMs: LIMIT_MS,
});

// In its other modes its own sandbox keeps it from writing to the repository's git folder, so it cannot commit.
const codexAcpThatCommits: RealAgent = {
  ...codexAcp,
  config: { ...codexAcp.config, mode: "agent-full-access" },
};

/** The agents with a profile. */
export const REAL_AGENTS: readonly RealAgent[] = [copilot, kimicode, gemini, qwen, goose];

/** The agents without one. */
export const ADAPTERS: readonly RealAgent[] = [claudeAcp, codexAcpThatCommits];
