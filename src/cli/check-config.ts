import { homedir } from "node:os";
import { type LoadedConfig, loadConfig } from "../config/load.ts";
import { configNotes } from "../config/notes.ts";
import { loadCheckSettings } from "./plugin-settings.ts";

/** Loads a configuration file, throws what is wrong with it, and gives what a person should know about it. */
export async function checkConfig(
  file: string,
): Promise<{ readonly loaded: LoadedConfig; readonly notes: readonly string[] }> {
  const settings = await loadCheckSettings();
  const loaded = await loadConfig(file, { env: process.env, home: homedir(), settings });
  const unset = loaded.missing.map(({ name }) => `the environment variable ${name} is not set`);
  return { loaded, notes: [...configNotes(loaded.written, settings), ...new Set(unset)] };
}
