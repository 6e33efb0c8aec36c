import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { DriverSetup } from "../../../driver.ts";

const Rules = z.array(z.string()).catch([]);
const UserConfig = z
  .looseObject({ permissions: z.looseObject({ allow: Rules, deny: Rules }).catch({ allow: [], deny: [] }) })
  .catch({ permissions: { allow: [], deny: [] } });

/** Writes the user's configuration with additional rules to the session's folder, where the program reads it. */
export function writeRules({ env, folder }: Pick<DriverSetup, "env" | "folder">, deny: readonly string[]): string {
  const config = UserConfig.parse(readJson(join(findFolder(env), "cli-config.json")));
  const permissions = { ...config.permissions, deny: [...config.permissions.deny, ...deny] };
  const own = join(folder, "cursor");
  mkdirSync(own, { recursive: true });
  const text = JSON.stringify({ version: 1, editor: { vimMode: false }, ...config, permissions });
  writeFileSync(join(own, "cli-config.json"), text, { mode: 0o600 });
  return own;
}

function findFolder(env: DriverSetup["env"]): string {
  const { CURSOR_CONFIG_DIR: own, XDG_CONFIG_HOME: xdg, HOME: home = "" } = env;
  return own || (xdg ? join(xdg, "cursor") : join(home, ".cursor"));
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return {};
  }
}
