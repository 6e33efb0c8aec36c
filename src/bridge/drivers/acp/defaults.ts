import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DriverSetup } from "../../driver.ts";
import type { Settings } from "./settings.ts";

const FILE = "agent-defaults.json";

/** The agent's environment, with the file of its default settings unless the user or the machine has one. */
export function withDefaults(
  { env, folder }: Pick<DriverSetup, "env" | "folder">,
  { defaults }: Pick<Settings, "defaults">,
): DriverSetup["env"] {
  if (defaults === undefined || env[defaults.variable] || defaults.own.some((path) => existsSync(path))) return env;
  const file = join(folder, FILE);
  writeFileSync(file, JSON.stringify(defaults.content, null, 2));
  return { ...env, [defaults.variable]: file };
}
