import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "./bridge.ts";
import type { ModelServer } from "./model-server.ts";
import { findProgram } from "./programs.ts";

/** The real program, if it is installed. */
export const opencode = findProgram("opencode", "opencode");

/** Points the program at a scripted model. */
export function opencodeEnvironment(place: Pick<Place, "home">, model: ModelServer): Record<string, string> {
  writeConfig(place, model, {});
  return { OPENCODE_DISABLE_MODELS_FETCH: "1" };
}

/** Writes the user's own configuration, with more entries than the model's. */
export function writeConfig(place: Pick<Place, "home">, model: ModelServer, more: object): void {
  mkdirSync(join(place.home, ".config/opencode"), { recursive: true });
  const config = { ...configOf(model), ...more };
  writeFileSync(join(place.home, ".config/opencode/opencode.json"), JSON.stringify(config));
}

/** In US dollars per million tokens. */
const PRICES = { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 };

function configOf({ url }: ModelServer): object {
  const scripted = { tool_call: true, limit: { context: 2_000_000, output: 8000 }, cost: PRICES };
  return {
    // It writes this into a configuration that lacks it.
    $schema: "https://opencode.ai/config.json",
    autoupdate: false,
    share: "disabled",
    model: "local/scripted",
    small_model: "local/scripted",
    enabled_providers: ["local"],
    provider: {
      local: {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: `${url}/v1`, apiKey: "sk-test" },
        models: { scripted, other: scripted },
      },
    },
  };
}

/** What the driver contract needs to know about it, with pipes and in a terminal. */
export const OPENCODE_FACTS = {
  driver: "opencode",
  program: "opencode",
  settings: () => ({ command: [opencode] }),
  environment: opencodeEnvironment,
  loosen: (place: Place) => {
    const file = join(place.home, ".config/opencode/opencode.json");
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), permission: "allow" }));
    return {};
  },
  process: "serve",
  usage: "calls",
  // It retries after a 429 and a 500 forever.
  errors: [401],
} as const;
