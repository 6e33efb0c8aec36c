import { readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { AoError } from "../core/errors.ts";
import type { Config } from "./config.ts";
import type { Env } from "./expand.ts";
import { foldersAbove } from "./folders-above.ts";
import { normalize } from "./normalize.ts";
import { type ParsedConfig, type ParseOptions, parseConfig } from "./parse.ts";
import { resolveFrom } from "./paths.ts";

export const CONFIG_FILE_NAME = "agent-orchestrator.yaml";

export interface FindOptions {
  /** The value of `--config`. */
  readonly config?: string | undefined;
  readonly env: Env;
  readonly cwd: string;
  /** The user's home folder. */
  readonly home: string;
}

export interface LoadOptions extends ParseOptions {
  /** The user's home folder. */
  readonly home: string;
}

export interface LoadedConfig extends ParsedConfig {
  readonly file: string;
  readonly text: string;
  readonly config: Config;
}

/** The file in force as an absolute path, or null; a file that was requested but is missing is an error. */
export async function findConfig(options: FindOptions): Promise<string | null> {
  const asked: readonly (readonly [string | undefined, string])[] = [
    [options.config, "--config"],
    [options.env["AO_CONFIG"], "AO_CONFIG"],
  ];
  for (const [path, source] of asked) {
    if (path === undefined || path === "") continue;
    const file = resolveFrom(options.cwd, path, options);
    if (await isFile(file)) return file;
    throw notFound(file, `${source} names this file; correct it, or run \`ao start\` in the project.`);
  }
  return (await findUpwards(options)) ?? (await findInHome(options));
}

/** Reads, validates and normalizes a file; throws `config-not-found` or `config-invalid`. */
export async function loadConfig(file: string, options: LoadOptions): Promise<LoadedConfig> {
  return interpretConfig(await readConfigText(file), file, options);
}

/** Validates and normalizes the text of a file; throws `config-invalid`. */
export function interpretConfig(text: string, file: string, options: LoadOptions): LoadedConfig {
  const parsed = parseConfig(text, file, options);
  const config = normalize(parsed.written, { base: dirname(resolve(file)), home: options.home });
  return { ...parsed, file, text, config };
}

async function findUpwards({ cwd, env }: FindOptions): Promise<string | null> {
  for (const folder of foldersAbove(resolve(cwd), env)) {
    const file = join(folder, CONFIG_FILE_NAME);
    if (await isFile(file)) return file;
  }
  return null;
}

async function findInHome(options: FindOptions): Promise<string | null> {
  const aoHome = resolveFrom(options.cwd, options.env["AO_HOME"] || "~/.agent-orchestrator", options);
  const file = join(aoHome, "config.yaml");
  return (await isFile(file)) ? file : null;
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() ?? false;
}

/** The text of a file; throws `config-not-found`, or `config-invalid` if it cannot be read. */
export async function readConfigText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === "ENOENT") throw notFound(file, "Run `ao start` in the project to write one.");
    const message = `cannot read ${file}: ${code ?? String(cause)}`;
    throw new AoError({ code: "config-invalid", message, hint: "Check that it is a file you may read.", cause });
  }
}

function notFound(file: string, hint: string): AoError {
  return new AoError({ code: "config-not-found", message: `no configuration at ${file}`, hint });
}
