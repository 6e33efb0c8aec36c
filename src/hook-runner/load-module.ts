import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { constants, Script } from "node:vm";
import { isFile, type ModuleRef } from "../core/hook/hook.ts";
import { describeError } from "./describe-error.ts";

type Exports = Readonly<Record<string, unknown>>;

/** What a module exports, or why it cannot be loaded, as the rest of a sentence about it. */
export async function loadModule(ref: ModuleRef): Promise<Exports | string> {
  if (isFile(ref) && !existsSync(ref.module)) return "does not exist";
  try {
    return await (isFile(ref) ? import(pathToFileURL(ref.module).href) : importPackage(ref));
  } catch (error) {
    return isMissing(ref, error) ? adviseOn(ref) : `cannot be loaded: ${describeError(error)}`;
  }
}

/** The file that seems to import a package, which need not exist. */
const importerIn = (folder: string): string => join(folder, "hooks");

// As a file next to the configuration would import it: from the packages of that folder and those above it.
function importPackage({ module, from }: ModuleRef): Promise<Exports> {
  const load = new Script("(name) => import(name)", {
    filename: importerIn(from),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }).runInThisContext() as (name: string) => Promise<Exports>;
  // Node warns that this is experimental, and the text would end up among the output of the module, which loads only later.
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return load(module);
  } finally {
    process.emitWarning = emitWarning;
  }
}

// The package itself, not one that it imports.
function isMissing({ from }: ModuleRef, error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return error.code === "ERR_MODULE_NOT_FOUND" && error.message.endsWith(`imported from ${importerIn(from)}`);
}

function adviseOn({ module, from }: ModuleRef): string {
  const advice = existsSync(join(from, module)) ? `did you mean "./${module}"?` : "install it with npm";
  return `is not installed in ${from} or above (${advice})`;
}
