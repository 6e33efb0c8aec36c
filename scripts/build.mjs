// Compiles src/ to dist/ and puts the CLI into one file. The new folder takes the old one's place at once, so that
// programs that run from dist/ meanwhile never find half of it.
import { chmodSync, cpSync, existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bin, ensurePackages, root, run } from "./lib.mjs";

// `ao` is started more often than anything else, and loading twenty small modules costs more than its work
// (docs/decisions/0007-the-cli-in-one-file.md). Libraries stay outside, and only the commands that need them load them,
// except a table so small that finding its files would take longer than reading it.
const INSIDE = ["get-east-asian-width"];

async function bundleCli(folder) {
  const { build } = await import("esbuild");
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const outfile = join(folder, "cli/ao.cjs");
  await build({
    entryPoints: [join(folder, "cli/main.js")],
    outfile,
    bundle: true,
    external: Object.keys(dependencies).filter((name) => !INSIDE.includes(name)),
    platform: "node",
    format: "cjs",
    target: "node20",
    // Less to read at every start; names stay, for traces that people can read.
    minifySyntax: true,
    minifyWhitespace: true,
    define: { "import.meta.url": "moduleUrl" },
    banner: { js: 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;' },
    logLevel: "warning",
  });
  chmodSync(outfile, 0o755);
}

ensurePackages();
const out = join(root, "dist");
const fresh = join(root, `.dist-${process.pid}`);
run(bin("tsc"), ["-p", "tsconfig.build.json", "--outDir", fresh]);
cpSync(join(root, "src/platform/holder.sh"), join(fresh, "platform/holder.sh"));
await bundleCli(fresh);
const old = `${fresh}-old`;
if (existsSync(out)) renameSync(out, old);
renameSync(fresh, out);
rmSync(old, { recursive: true, force: true });
