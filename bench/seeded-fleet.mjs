// The daemon's own server on a seeded fleet in every state, with nothing behind it that would take processor time.
//   node bench/seeded-fleet.mjs FOLDER COUNT [MILLISECONDS]    how often some agent gives a sign of life
import { join } from "node:path";
import { root } from "../scripts/lib.mjs";
import { loadServeFleet } from "../scripts/serve-fleet.mjs";

// Seeding time grows with the square of the number, so the rest of a large fleet are copies.
const MAX_SEEDED = 250;

const [home, wanted, signalMs] = process.argv.slice(2);
const copies = Math.ceil(Number(wanted) / MAX_SEEDED);
const serveFleet = await loadServeFleet();
const fleet = await serveFleet({
  home,
  count: Math.ceil(Number(wanted) / copies),
  copies,
  port: 0,
  page: join(root, "dist/web"),
  ...(signalMs === undefined ? {} : { signalMs: Number(signalMs) }),
});
process.stdout.write(`${JSON.stringify({ port: Number(new URL(fleet.url).port), token: fleet.token })}\n`);
