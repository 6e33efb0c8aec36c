// What a contributor runs before a commit: types, lint, the tests of `npm test`, dead code.
import { bin, build, ensurePackages, run, WITHOUT_LONG } from "./lib.mjs";

ensurePackages();
run(bin("tsc"), ["--noEmit"]);
run(bin("tsc"), ["-p", "web", "--noEmit"]);
run(bin("biome"), ["ci", "."]);
build();
run(bin("vitest"), ["run", ...WITHOUT_LONG]);
run(bin("knip"), []);
