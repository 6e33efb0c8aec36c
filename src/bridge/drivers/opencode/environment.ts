import { AoError } from "../../../core/errors.ts";
import { isPathRule } from "../../kit/path-rules.ts";
import { ALL, type Rules } from "./rules.ts";

type Variables = Readonly<Record<string, string | undefined>>;

export const USER = "opencode";

/**
 * The environment of the server and its screen. By default the program never asks, so no policy could take effect: for
 * this launch only, it is configured to ask, after the user's own rules. A session that may do everything keeps the
 * defaults.
 */
export function composeEnvironment(rules: Rules, env: Variables, password: string): Variables {
  const isFree = rules.permissions === "all" && rules.ask.length + rules.deny.length === 0;
  return {
    ...env,
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_SERVER_USERNAME: USER,
    OPENCODE_SERVER_PASSWORD: password,
    ...(isFree ? {} : { OPENCODE_CONFIG_CONTENT: addQuestions(env["OPENCODE_CONFIG_CONTENT"], rules) }),
  };
}

function addQuestions(own: string | undefined, { ask, deny }: Rules): string {
  const config = own ? readConfig(own) : {};
  const known = (typeof config["permission"] === "string" ? { "*": config["permission"] } : config["permission"]) ?? {};
  const permission: Record<string, unknown> = { ...known };
  // The rule for fetching accepts no patterns, except under a name that is itself a pattern.
  const asked = ["edit", "bash", "webfetch*", ...([...ask, ...deny].some(isPathRule) ? ["read"] : [])];
  for (const name of asked) permission[name] = { ...toPatterns(permission[name]), [ALL]: "ask" };
  return JSON.stringify({ ...config, permission });
}

function toPatterns(entry: unknown): object {
  return typeof entry === "string" ? { "*": entry } : { ...(entry as object | undefined) };
}

function readConfig(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw new AoError({ code: "config-invalid", message: "OPENCODE_CONFIG_CONTENT is not JSON.", cause });
  }
}
