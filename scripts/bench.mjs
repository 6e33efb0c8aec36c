// `npm run bench`: builds, then measures and prints a table and bench/results/latest.json.
import { join } from "node:path";
import { build, root, run } from "./lib.mjs";

build();
run(process.execPath, [join(root, "bench/run.mjs"), ...process.argv.slice(2)]);
