import { homedir } from "node:os";
import { type LoadedConfig, loadConfig } from "../../../config/load.ts";
import { listOverruled } from "../../../config/machine-keys.ts";
import { configNotes } from "../../../config/notes.ts";
import { otherMachineFile } from "./machine-file.ts";
import { loadCheckSettings } from "./plugin-settings.ts";

/** Loads a configuration file, throws its errors, and returns notes for a person. */
export async function checkConfig(
  file: string,
): Promise<{ readonly loaded: LoadedConfig; readonly notes: readonly string[] }> {
  const settings = await loadCheckSettings();
  const loaded = await loadConfig(file, { env: process.env, home: homedir(), settings });
  const unset = loaded.missing.map(({ name }) => `the environment variable ${name} is not set`);
  const notes = [...configNotes(loaded, settings), ...(await overruledIn(loaded)), ...new Set(unset)];
  return { loaded, notes };
}

async function overruledIn({ file, written }: LoadedConfig): Promise<readonly string[]> {
  const other = await otherMachineFile(file);
  if (other === null) return [];
  const inForce = await loadConfig(other, { env: process.env, home: homedir() }).catch(() => null);
  return inForce === null ? [] : listOverruled(written, { file: other, written: inForce.written });
}
