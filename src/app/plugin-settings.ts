import { settingsChecker } from "../config/plugin-settings.ts";
import { registry } from "../plugins/registry.ts";

/** Validates settings of the built-in plugins; the CLI loads this on demand. */
export const checkSettings = settingsChecker(registry);
