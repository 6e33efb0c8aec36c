import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PROFILES } from "../../../src/providers/acp/profiles.ts";
import type { Place } from "./bridge.ts";
import type { DriverContract } from "./driver-contract.ts";
import type { ModelServer } from "./model-server.ts";
import { findProgram } from "./programs.ts";

/** A real program, as it is installed for tests; null when it is not. */
export interface RealAgent {
  /** The plugin's name. */
  readonly plugin: keyof typeof PROFILES;
  readonly program: string | null;
  readonly contract: Omit<DriverContract, "settings" | "driver" | "name">;
}

const LIMIT_MS = 300_000;

function write(place: Place, path: string, text: string): void {
  const file = join(place.home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
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

const gemini: RealAgent = {
  plugin: "gemini",
  program: findProgram("gemini", "gemini"),
  contract: {
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
    process: "gemini",
    forgets: true,
    usage: "turns",
    hidesCache: true,
    errors: [401],
    limitMs: LIMIT_MS,
  },
};

const copilot: RealAgent = {
  plugin: "copilot",
  program: findProgram("copilot", "copilot"),
  contract: {
    environment: (_, { url }) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_TYPE: "openai",
      COPILOT_PROVIDER_API_KEY: "sk-test",
      COPILOT_MODEL: "scripted",
      COPILOT_OFFLINE: "true",
      COPILOT_PROVIDER_MAX_PROMPT_TOKENS: "2000000",
    }),
    process: "copilot",
    usage: "turns",
    // It names those of an account, and not one of another provider.
    hidesModel: true,
    errors: [401, 500],
    limitMs: LIMIT_MS,
  },
};

// Kimi Code needs a newer Node than ao does.
const node24 = process.platform === "linux" && process.arch === "x64" ? findProgram("node24", "node") : null;

const kimicode: RealAgent = {
  plugin: "kimicode",
  program: node24 === null ? null : findProgram("kimicode", "kimi"),
  contract: {
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
      () => ({ PATH: `${dirname(String(node24))}:${process.env["PATH"]}` }),
    ),
    process: "kimi",
    usage: "none",
    errors: [401],
    limitMs: LIMIT_MS,
  },
};

const qwen: RealAgent = {
  plugin: "qwen",
  program: findProgram("qwen", "qwen"),
  contract: {
    environment: withFiles(
      () => ({ ".qwen/settings.json": JSON.stringify({ security: { auth: { selectedType: "openai" } } }) }),
      ({ url }) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "scripted" }),
    ),
    process: "qwen",
    usage: "calls",
    errors: [401],
    limitMs: LIMIT_MS,
  },
};

/** The installed real programs that speak the protocol. */
export const REAL_AGENTS: readonly RealAgent[] = [copilot, kimicode, gemini, qwen];
