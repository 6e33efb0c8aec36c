// Compiles src/ to dist/ and makes the CLI executable.
import { chmodSync, cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bin, ensurePackages, root, run } from "./lib.mjs";

ensurePackages();
const out = join(root, "dist");
rmSync(out, { recursive: true, force: true });
run(bin("tsc"), ["-p", "tsconfig.build.json"]);
cpSync(join(root, "src/platform/holder.sh"), join(out, "platform/holder.sh"));
const main = join(out, "cli/main.js");
if (existsSync(main)) chmodSync(main, 0o755);
