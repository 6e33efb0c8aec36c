// Shared by the scripts that show the dashboard on a seeded fleet.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./lib.mjs";

/** Compiles test/support/serve-fleet.ts and gives its function. */
export async function loadServeFleet() {
  const { build } = await import("esbuild");
  const outfile = join(root, "node_modules/.cache/ao/serve-fleet.mjs");
  await build({
    entryPoints: [join(root, "test/support/serve-fleet.ts")],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "warning",
  });
  return (await import(pathToFileURL(outfile).href)).serveFleet;
}
