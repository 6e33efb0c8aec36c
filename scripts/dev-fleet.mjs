// Serves the dashboard on a seeded fleet, for work on web/ and for pictures: `npm run dev:fleet -- 30` (0, 3, 30, 60, 500 ...).
//   npm run dev:fleet -- [COUNT] [--port N]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensurePackages, root } from "./lib.mjs";
import { loadServeFleet } from "./serve-fleet.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { port: { type: "string" } } });
ensurePackages();
const serveFleet = await loadServeFleet();
const home = mkdtempSync(join(tmpdir(), "ao-fleet-"));
const fleet = await serveFleet({
  home,
  count: Number(positionals[0] ?? 30),
  port: values.port === undefined ? null : Number(values.port),
  page: join(root, "dist/web"),
});
console.log(`A seeded fleet is at ${await fleet.link()} (one-time link)`);
console.log("Ctrl+C stops; `npm run dev` serves web/ with hot reload.");
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, async () => {
    await fleet.close();
    rmSync(home, { recursive: true, force: true });
    process.exit(0);
  });
}
