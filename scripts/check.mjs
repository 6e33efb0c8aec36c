// What a contributor runs before a commit: types, lint, every test, dead code.
import { bin, build, ensurePackages, run } from "./lib.mjs";

ensurePackages();
run(bin("tsc"), ["--noEmit"]);
run(bin("tsc"), ["-p", "web", "--noEmit"]);
run(bin("biome"), ["ci", "."]);
build();
run(bin("vitest"), ["run"]);
run(bin("knip"), []);
