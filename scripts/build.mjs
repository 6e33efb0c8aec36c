// Compiles src/ to dist/ and the dashboard of web/ to dist/web, puts the CLI into four files, a tiny one that starts one of the others, and the
// bridge and the daemon into a few. The new folder replaces the old one atomically, so that programs running from dist/ never
// find half of it.
import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bin, ensurePackages, root, run } from "./lib.mjs";

// `ao` is started more often than anything else, and loading twenty small modules costs more than its work
// (docs/decisions/0007-the-cli-in-one-file.md). Libraries stay outside, and only the commands that need them load them,
// except a table so small that finding its files would take longer than reading it.
const INSIDE = ["get-east-asian-width"];

async function bundleCli(folder) {
  const { build } = await import("esbuild");
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const common = {
    bundle: true,
    external: Object.keys(dependencies).filter((name) => !INSIDE.includes(name)),
    platform: "node",
    format: "cjs",
    target: "node20",
    // Later modules are loaded with `require`: cached compiled code cannot `import`.
    supported: { "dynamic-import": false },
    // Less to read at every start; names stay for readable stack traces.
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: "warning",
  };
  const ids = {};
  for (const name of ["main", "quick", "status-and-list"]) {
    const outfile = join(folder, `cli/${name}.cjs`);
    await build({
      ...common,
      entryPoints: [join(folder, `cli/${name}.js`)],
      outfile,
      // A function for the entry to call; it is a script, not a module, since only scripts can be kept compiled.
      banner: { js: "(function(module,require){" },
      footer: { js: "})" },
      define: { "import.meta.url": "module.url", "import.meta.dirname": "module.folder" },
    });
    // Code compiled by an earlier run cannot `import`, so the entry does it.
    writeFileSync(outfile, readFileSync(outfile, "utf8").replace(/\bimport\(/g, "module.import("));
    ids[name] = createHash("sha256").update(readFileSync(outfile)).digest("hex").slice(0, 16);
  }
  const entry = join(folder, "cli/ao.cjs");
  await build({
    ...common,
    entryPoints: [join(folder, "cli/ao.js")],
    outfile: entry,
    define: { "import.meta.dirname": "__dirname", BUILD_IDS: JSON.stringify(ids) },
  });
  chmodSync(entry, 0o755);
}

// Shared by the bridge and the daemon: ES modules with the libraries included, and files for what several entries share.
const SHARED = {
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node20",
  // Native code, and faster parts of `ws` that are used if installed.
  external: ["bufferutil", "utf-8-validate", "libsql"],
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: "warning",
  plugins: [{ name: "english-only", setup: keepEnglish }],
  // Bundled CommonJS packages need `require`.
  banner: { js: 'import{createRequire as requireOf}from"node:module";const require=requireOf(import.meta.url);' },
};

// Every session has a bridge of its own, and modules cost memory: it gets one file for each driver and for what they share
// (docs/decisions/0013-the-bridge-in-few-files.md).
async function bundleBridge(folder) {
  const { build } = await import("esbuild");
  const modules = join(folder, "bridge-modules");
  renameSync(join(folder, "bridge"), modules);
  await build({
    ...SHARED,
    entryPoints: [join(modules, "main.js")],
    outdir: join(folder, "bridge"),
    chunkNames: "[name]-[hash]",
  });
  rmSync(modules, { recursive: true });
}

// Finding and linking 600 modules took two thirds of the daemon's start (docs/decisions/0017-the-daemon-in-few-files.md). Each entry keeps its
// path, and so do the modules that the tests' own daemons and agents start from.
const ENTRIES = [
  "app/daemon",
  "app/plugin-settings",
  "app/repair",
  "app/start-daemon",
  "engine/executors/all",
  "protocol/home",
  "rehearsal/main",
  "rehearsal/rehearse",
];

async function bundleDaemon(folder) {
  const { build } = await import("esbuild");
  const bundled = `${folder}-bundled`;
  await build({
    ...SHARED,
    entryPoints: ENTRIES.map((name) => join(folder, `${name}.js`)),
    outbase: folder,
    outdir: bundled,
    // One folder below dist/, like the modules that read files beside them.
    chunkNames: "shared/[name]-[hash]",
  });
  cpSync(bundled, folder, { recursive: true });
  rmSync(bundled, { recursive: true });
}

/** The schemas' error messages in fifty languages are half of their code. */
function keepEnglish({ onLoad }) {
  onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, ({ path }) => ({
    contents: 'export { default as en } from "./en.js";',
    resolveDir: dirname(path),
  }));
}

/** The dashboard as files that the daemon serves (docs/decisions/0018-the-dashboard.md). */
async function buildPage(folder) {
  const { build } = await import("vite");
  await build({
    configFile: join(root, "web/vite.config.ts"),
    logLevel: "warn",
    build: { outDir: join(folder, "web"), emptyOutDir: true },
  });
}

ensurePackages();
const out = join(root, "dist");
const fresh = join(root, `.dist-${process.pid}`);
// Types are checked by `npm run check`; here that would be most of the work.
run(bin("tsc"), ["-p", "tsconfig.build.json", "--noCheck", "--outDir", fresh]);
cpSync(join(root, "src/platform/holder.sh"), join(fresh, "platform/holder.sh"));
// The types of the package: for people who write hooks in code.
cpSync(join(root, "src/core/hook/hook-module.ts"), join(fresh, "index.d.ts"));
await bundleCli(fresh);
await bundleBridge(fresh);
await bundleDaemon(fresh);
await buildPage(fresh);
const old = `${fresh}-old`;
if (existsSync(out)) renameSync(out, old);
renameSync(fresh, out);
rmSync(old, { recursive: true, force: true });
