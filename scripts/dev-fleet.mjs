// Serves the dashboard on a seeded fleet, for work on web/ and for pictures: `npm run dev:fleet -- 30` (0, 3, 30, 60, 500 ...).
//   npm run dev:fleet -- [COUNT] [--port N]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { ensurePackages, root } from "./lib.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { port: { type: "string" } } });
ensurePackages();
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
const { serveFleet } = await import(pathToFileURL(outfile).href);
const home = mkdtempSync(join(tmpdir(), "ao-fleet-"));
const fleet = await serveFleet({
  home,
  count: Number(positionals[0] ?? 30),
  port: values.port === undefined ? null : Number(values.port),
  page: join(root, "dist/web"),
});
console.log(`A seeded fleet is at ${await fleet.link()} (one-time link)`);
console.log(`AO_URL=${fleet.url} npm run dev serves web/ with hot reload on it. Ctrl+C stops.`);
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, async () => {
    await fleet.close();
    rmSync(home, { recursive: true, force: true });
    process.exit(0);
  });
}
