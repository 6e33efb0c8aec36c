// The daemon's own server on a seeded fleet in every state, with nothing behind it that would take processor time.
//   node bench/seeded-fleet.mjs FOLDER COUNT
import { join } from "node:path";
import { root } from "../scripts/lib.mjs";
import { loadServeFleet } from "../scripts/serve-fleet.mjs";

const [home, count] = process.argv.slice(2);
const serveFleet = await loadServeFleet();
const fleet = await serveFleet({ home, count: Number(count), port: 0, page: join(root, "dist/web") });
process.stdout.write(`${JSON.stringify({ port: Number(new URL(fleet.url).port), token: fleet.token })}\n`);
