// Shared by scripts that run TypeScript of the tests.
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./lib.mjs";

/** Compiles a TypeScript module of this repository and gives its exports. */
export async function loadCompiled(path) {
  const { build } = await import("esbuild");
  const outfile = join(root, "node_modules/.cache/ao", `${basename(path, ".ts")}.mjs`);
  await build({
    entryPoints: [join(root, path)],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "warning",
  });
  return import(pathToFileURL(outfile).href);
}
