import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "./bridge.ts";
import type { ModelServer } from "./model-server.ts";
import { findProgram } from "./programs.ts";

/** The real program, if it is installed. */
export const codex = findProgram("codex", "codex");

/** Points the program at a scripted model; only the workspace is writable in its sandbox, and no temporary folder. */
export function codexEnvironment(place: Place, model: ModelServer): Record<string, string> {
  mkdirSync(join(place.home, ".codex"), { recursive: true });
  writeFileSync(join(place.home, ".codex/config.toml"), configOf(model));
  return { LOCAL_KEY: "sk-test" };
}

/** The user's own configuration in these tests. */
export function configOf({ url }: ModelServer): string {
  return `model = "gpt-5"
model_provider = "local"
model_context_window = 2000000
check_for_update_on_startup = false
[model_providers.local]
name = "local"
base_url = "${url}/v1"
env_key = "LOCAL_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[features]
plugins = false
apps = false
[analytics]
enabled = false
[sandbox_workspace_write]
exclude_slash_tmp = true
exclude_tmpdir_env_var = true
`;
}

/** What the driver contract needs to know about it, with pipes and in a terminal. */
export const CODEX_FACTS = {
  driver: "codex",
  program: "codex",
  settings: () => ({ command: [codex] }),
  environment: codexEnvironment,
  loosen: (place: Place) => {
    const file = join(place.home, ".codex/config.toml");
    const loose = 'approval_policy = "never"\nsandbox_mode = "danger-full-access"\n';
    writeFileSync(file, `${loose}${readFileSync(file, "utf8")}`);
    return {};
  },
  confines: true,
  process: "app-server",
  usage: "calls",
  errors: [401, 429, 500],
} as const;
