import type { CheckSettings } from "../../../config/plugin-settings.ts";
import { appEntry } from "../../client/launch-daemon.ts";

/**
 * The plugins' validation of their settings. Plugins belong to the application, so it is loaded from there, on demand.
 */
export async function loadCheckSettings(): Promise<CheckSettings> {
  const module = (await import(appEntry("plugin-settings"))) as { readonly checkSettings: CheckSettings };
  return module.checkSettings;
}
