#!/usr/bin/env node
import { join } from "node:path";
import { InvariantError } from "../core/errors.ts";
import { currentHome } from "./client/home.ts";
import { loadCompiled } from "./compiled-code.ts";
import type { main } from "./main.ts";
import type { main as quick } from "./quick.ts";
import { readVersion } from "./version.ts";
import { writeOut } from "./write-out.ts";

/** Hashes of the programs below, inserted by scripts/build.mjs: code compiled for another build is never run. */
declare const BUILD_IDS: Readonly<Record<Program, string>>;

/**
 * Frequently used commands have their own small programs: quick.cjs prints the table of sessions, status-and-list.cjs
 * does the rest of these two commands, main.cjs does everything.
 */
type Program = "main" | "quick" | "status-and-list";

/** The form in which the build bundles main.ts, quick.ts and status-and-list.ts. */
type Script = (module: ScriptModule, require: NodeJS.Require) => void;

interface ScriptModule {
  exports?: { readonly main: typeof main & typeof quick };
  /** `import.meta.dirname` and `import.meta.url` of every module in the script. */
  readonly folder: string;
  readonly url: string;
  /** The build turns `import()` into this. */
  import(specifier: string): Promise<unknown>;
}

const args = process.argv.slice(2);

// The most common question is answered before anything else is loaded, even streams.
if (args.length === 1 && ["--version", "-V", "-v", "version"].includes(args[0] ?? "")) printVersion();
else void run();

async function run(): Promise<void> {
  const isList = args[0] === "status" || args[0] === "list";
  if (isList && args.length === 1 && (await loadMain("quick")(args))) return;
  await loadMain(isList ? "status-and-list" : "main")(args);
}

function printVersion(): void {
  writeOut(`${readVersion()}\n`);
}

function loadMain(program: Program): typeof main & typeof quick {
  const folder = import.meta.dirname;
  const file = join(folder, `${program}.cjs`);
  const script = loadCompiled({ file, build: BUILD_IDS[program], folder: currentHome().cache }) as Script;
  const module: ScriptModule = {
    folder,
    import: (specifier) => import(specifier),
    get url() {
      return (require("node:url") as typeof import("node:url")).pathToFileURL(file).href;
    },
  };
  script(module, require);
  if (module.exports === undefined) throw new InvariantError(`${file} exports nothing`);
  return module.exports.main;
}
