import { settingsChecker } from "../config/plugin-settings.ts";
import { registry } from "../plugins/registry.ts";

/** Checks settings of the plugins that ship with `ao`; the CLI loads this when it needs it. */
export const checkSettings = settingsChecker(registry);
