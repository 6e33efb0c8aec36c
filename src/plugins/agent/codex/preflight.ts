import { join } from "node:path";
import type { AgentProblem } from "../../../ports/agent.ts";
import type { Host } from "../../../ports/host.ts";
import { checkProgram, type Where } from "../../../providers/bridged/program.ts";

/** The oldest tested version. */
export const MIN_VERSION = "0.166.0";
export const INSTALL = "Install it: `npm install -g @openai/codex`.";

const LOGIN = "Run `codex login`, or `printenv OPENAI_API_KEY | codex login --with-api-key`.";

/**
 * Finds what would keep Codex from working, without launching a session or reading a secret. A terminal needs nothing
 * more: its interface is a client of the same server, which asks for no trust.
 */
export async function checkCodex(
  host: Host,
  command: readonly string[],
  where: Where,
): Promise<readonly AgentProblem[]> {
  const program = { command, title: "Codex", install: INSTALL, minVersion: MIN_VERSION };
  const problem = await checkProgram(host, program, where);
  if (problem !== null) return [problem];
  if (await hasLogin(host, where)) return [];
  return [{ code: "unsupported", message: "Codex has no login on this machine.", hint: LOGIN }];
}

// A key in the environment does not count: the program reads it only for providers in the user's own configuration.
async function hasLogin(host: Host, { environment }: Where): Promise<boolean> {
  const folder = environment["CODEX_HOME"] || join(environment["HOME"] ?? "", ".codex");
  if ((await host.fs.stat(join(folder, "auth.json"))) !== null) return true;
  const config = (await host.fs.readText(join(folder, "config.toml"))) ?? "";
  return /^\s*(model_provider|profile|cli_auth_credentials_store)\s*=/m.test(config);
}
