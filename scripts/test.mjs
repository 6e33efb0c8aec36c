// `npm test`: installs what is missing, then types, lint and every kind of test.
// `npm run test:full` is the same with the stated counts of kills and cases (AO_TEST_FULL=1).
import { bin, build, ensurePackages, ensureTmux, run } from "./lib.mjs";

const full = process.argv.includes("--full");
ensurePackages();
ensureTmux();
run(bin("tsc"), ["--noEmit"]);
run(bin("biome"), ["ci", "."]);
build();
run(bin("vitest"), ["run"], { env: { ...process.env, ...(full ? { AO_TEST_FULL: "1" } : {}) } });
run(bin("knip"), []);
