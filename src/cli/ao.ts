#!/usr/bin/env node
import { writeSync } from "node:fs";
import { join } from "node:path";
import { InvariantError } from "../core/errors.ts";
import { currentHome } from "./client/home.ts";
import { loadCompiled } from "./compiled-code.ts";
import type { main } from "./main.ts";
import { readVersion } from "./version.ts";

/** Hashes of main.cjs and quick.cjs, put here by scripts/build.mjs: code that was compiled for another build is never run. */
declare const BUILD_IDS: Readonly<Record<Program, string>>;

/** quick.cjs has what people and scripts call all day, and little else to load. */
type Program = "main" | "quick";

/** What the build makes of main.ts and quick.ts. */
type Script = (module: ScriptModule, require: NodeJS.Require) => void;

interface ScriptModule {
  exports?: { readonly main: typeof main };
  /** `import.meta.dirname` and `import.meta.url` of every module in the script. */
  readonly folder: string;
  readonly url: string;
  /** What the build makes of `import()`. */
  import(specifier: string): Promise<unknown>;
}

const args = process.argv.slice(2);

// The commonest question is answered before anything else is loaded, streams included.
if (args.length === 1 && ["--version", "-V", "-v", "version"].includes(args[0] ?? "")) printVersion();
else void loadMain(args[0] === "status" || args[0] === "list" ? "quick" : "main")(args);

function printVersion(): void {
  const text = `${readVersion()}\n`;
  try {
    writeSync(1, text);
  } catch {
    // A pipe that is full or closed: the stream knows how to wait, and how to end.
    process.stdout.on("error", () => process.exit(0));
    process.stdout.write(text);
  }
}

function loadMain(program: Program): typeof main {
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
