// Compiles src/ to dist/ and makes the CLI executable. The new folder takes the old one's place at once, so that
// programs that run from dist/ meanwhile never find half of it.
import { chmodSync, cpSync, existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bin, ensurePackages, root, run } from "./lib.mjs";

ensurePackages();
const out = join(root, "dist");
const fresh = join(root, `.dist-${process.pid}`);
run(bin("tsc"), ["-p", "tsconfig.build.json", "--outDir", fresh]);
cpSync(join(root, "src/platform/holder.sh"), join(fresh, "platform/holder.sh"));
chmodSync(join(fresh, "cli/main.js"), 0o755);
const old = `${fresh}-old`;
if (existsSync(out)) renameSync(out, old);
renameSync(fresh, out);
rmSync(old, { recursive: true, force: true });
