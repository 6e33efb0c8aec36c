import { homedir } from "node:os";
import { listNotInEffect, listNotInVersion } from "../config/in-effect.ts";
import { loadConfig } from "../config/load.ts";

/** Loads a configuration file, throws what is wrong with it, and gives what a person should know about it. */
export async function checkConfig(file: string): Promise<readonly string[]> {
  const { written, missing } = await loadConfig(file, process.env, homedir());
  return [
    ...listNotInEffect(written),
    ...listNotInVersion(written),
    ...new Set(missing.map(({ name }) => `the environment variable ${name} is not set`)),
  ];
}
