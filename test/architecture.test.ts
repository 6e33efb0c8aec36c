import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { PLUGIN_NAMES } from "../src/config/plugin-names.ts";
import { executors } from "../src/engine/executors/all.ts";
import { registry } from "../src/plugins/registry.ts";

/** Who may import whom; `packages` are all that a layer takes from npm. */
interface Layer {
  readonly may: readonly string[];
  readonly packages: readonly string[];
  readonly typePackages?: readonly string[];
}

const WORLD = [
  "auth",
  "core",
  "ports",
  "config",
  "engine",
  "platform",
  "providers",
  "plugins",
  "protocol",
  "server",
  "cli",
];
const LAYERS: Readonly<Record<string, Layer>> = {
  // The language of conditions, its regular expressions, and hashes: pure, and without packages of their own.
  core: { may: [], packages: ["@marcbachmann/cel-js", "@noble/hashes", "re2js"] },
  ports: { may: ["core"], packages: [], typePackages: ["zod"] },
  config: { may: ["core", "ports"], packages: ["zod", "yaml"] },
  engine: { may: ["core", "ports"], packages: [] },
  platform: { may: ["core", "ports"], packages: ["libsql"] },
  providers: {
    may: ["core", "ports"],
    packages: [
      "zod",
      "@octokit/core",
      "@octokit/plugin-paginate-rest",
      "@octokit/plugin-retry",
      "@octokit/plugin-throttling",
      "universal-github-app-jwt",
    ],
  },
  plugins: {
    may: ["core", "ports", "providers"],
    packages: ["zod", "yaml"],
    typePackages: ["@slack/types", "discord-api-types"],
  },
  protocol: { may: ["core"], packages: ["zod"] },
  bridge: {
    may: ["core", "ports", "platform", "providers"],
    packages: ["zod", "ws", "diff", "eventsource-parser"],
  },
  gate: { may: ["core"], packages: [] },
  "hook-runner": { may: ["core", "config"], packages: [] },
  rehearsal: { may: ["core", "platform"], packages: ["zod", "yaml"] },
  auth: { may: ["core", "protocol"], packages: [] },
  server: { may: ["auth", "core", "ports", "protocol"], packages: ["diff", "hono", "ws", "zod", "zod-openapi"] },
  demo: { may: ["core", "protocol"], packages: [] },
  cli: { may: ["core", "config", "demo", "protocol"], packages: ["get-east-asian-width", "marked", "uqr"] },
  app: { may: WORLD, packages: ["@hono/node-server", "diff"] },
  testing: {
    may: ["core", "ports", "platform", "engine"],
    packages: ["vitest", "fast-check", "hono", "@gitbeaker/core", "graphql"],
  },
};

const PURE = ["core"];
const THROUGH_HOST = ["core", "engine", "plugins", "providers"];
const WORLDLY =
  /^node:(fs|fs\/promises|child_process|net|http|https|http2|os|process|worker_threads|timers.*|dgram|tls)$/;
const GLOBALS: readonly (readonly [string, RegExp])[] = [
  ["process", /(?<![.\w])process\.(env|cwd|exit|platform|kill|argv|std\w+|on|once|nextTick|getuid|hrtime|chdir)\b/],
  ["fetch", /(?<![.\w])fetch\(/],
  ["timers", /(?<![.\w])(setTimeout|setInterval|setImmediate)\(/],
  ["clock", /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(/],
];
const DAEMON = ["app", "engine", "platform", "plugins", "providers", "server"];
/** Git with settings, folders and an environment of its own; asking for the version needs none of them. */
const OWN_GIT = /program: "git"(?!, (?:versionArgs|args: \["--version"\]))|(?<!script: )'[^']*\bgit "\$@"/;
const WITH_SCHEMAS = ["server", "app"];
/** Only these write to the terminal directly; all others print through views/print.ts, which escapes control characters. */
const WRITERS = [
  "src/cli/commands/wait.ts",
  "src/cli/report-failure.ts",
  "src/cli/views/print.ts",
  "src/cli/views/progress.ts",
  "src/cli/write-out.ts",
];
const DIRECT_WRITE = /process\.(?:stdout|stderr)\.write\(/;
const CHANCE = /\bMath\.random\(|\bcrypto\.random/;

interface SourceFile {
  readonly path: string;
  readonly text: string;
}

interface Import {
  readonly from: string;
  readonly typeOnly: boolean;
}

/** Every violation of the rules above, as `rule: file: what`. */
function findBreaches(files: readonly SourceFile[]): readonly string[] {
  const known = new Set(files.map(({ path }) => path));
  const breaches = files.flatMap((file) =>
    isTest(file.path) ? checkTest(file) : [...checkSource(file), ...checkImports(file, known)],
  );
  return [...breaches, ...findCycles(files.filter(({ path }) => !isTest(path)))];
}

function isTest(path: string): boolean {
  return path.endsWith(".test.ts") || path.startsWith("test/");
}

function layerOf(path: string): string {
  return path.split("/")[1] ?? "";
}

function checkTest({ path, text }: SourceFile): readonly string[] {
  const mocked = [...text.matchAll(/vi\.(?:mock|doMock)\(\s*(?:import\()?["'`]([^"'`]+)/g)].map(
    ([, what]) => what ?? "",
  );
  return mocked.filter((what) => what.startsWith(".")).map((what) => `no-mocks-of-our-own: ${path}: ${what}`);
}

function checkSource({ path, text }: SourceFile): readonly string[] {
  const layer = layerOf(path);
  const breaches: string[] = [];
  if (LAYERS[layer] === undefined) breaches.push(`known-layers: ${path}: src/${layer} is not in the table`);
  const code = withoutComments(text).replace(/(["'])(?:\\.|(?!\1)[^\\\n])*\1/g, '""');
  if (THROUGH_HOST.includes(layer)) {
    for (const [name, pattern] of GLOBALS) if (pattern.test(code)) breaches.push(`through-the-host: ${path}: ${name}`);
  }
  if (DAEMON.includes(layer) && path !== "src/providers/git/git.ts" && OWN_GIT.test(withoutComments(text))) {
    breaches.push(`git-through-one-function: ${path}: runs git itself`);
  }
  if (layer === "server" && /\.submit\(/.test(code)) breaches.push(`writes-by-actions: ${path}: submits a command`);
  if (layer !== "cli" && path.split("/").length > 3 && /\bimport\.meta\b/.test(code)) {
    breaches.push(`paths-survive-bundling: ${path}: import.meta in a folder of a folder`);
  }
  if (layer === "cli" && !WRITERS.includes(path) && DIRECT_WRITE.test(code)) {
    breaches.push(`text-of-others-is-visible: ${path}: writes past views/print.ts`);
  }
  if (PURE.includes(layer) && CHANCE.test(code)) breaches.push(`core-is-pure: ${path}: chance`);
  return breaches;
}

function checkImports(file: SourceFile, known: ReadonlySet<string>): readonly string[] {
  const { path } = file;
  const layer = layerOf(path);
  return importsOf(file.text).flatMap((one) => {
    if (one.from.startsWith("node:")) return checkBuiltIn(path, layer, one.from);
    if (!one.from.startsWith(".")) return checkPackage(path, layer, one);
    const target = resolve(path, one.from);
    if (!known.has(target) && target.endsWith(".ts")) return [`resolvable: ${path}: ${one.from}`];
    return [
      ...checkLayer(path, layer, target),
      ...checkServer(path, target, one.typeOnly),
      ...checkSchemas(path, target, one.typeOnly),
      ...checkPlugin(path, target),
    ];
  });
}

function checkBuiltIn(path: string, layer: string, from: string): readonly string[] {
  if (PURE.includes(layer)) return [`core-is-pure: ${path}: ${from}`];
  if (THROUGH_HOST.includes(layer) && WORLDLY.test(from)) return [`through-the-host: ${path}: ${from}`];
  return layer === "protocol" || layer === "ports" ? [`browser-safe: ${path}: ${from}`] : [];
}

function checkPackage(path: string, layer: string, { from, typeOnly }: Import): readonly string[] {
  const name = from.startsWith("@") ? from.split("/").slice(0, 2).join("/") : (from.split("/")[0] ?? from);
  const { packages = [], typePackages = [] } = LAYERS[layer] ?? {};
  const fine = packages.includes(name) || (typeOnly && typePackages.includes(name));
  return fine ? [] : [`listed-packages: ${path}: ${from}`];
}

function checkLayer(path: string, layer: string, target: string): readonly string[] {
  const other = layerOf(target);
  if (!target.startsWith("src/") || other === layer) return [];
  if (LAYERS[layer]?.may.includes(other)) return [];
  return [`direction: ${path}: ${layer} may not import ${other} (${target})`];
}

// The daemon starts the server and implements its interfaces; shared code is in a layer that both may import.
function checkServer(path: string, target: string, typeOnly: boolean): readonly string[] {
  if (layerOf(path) !== "app" || layerOf(target) !== "server" || typeOnly) return [];
  if (path === "src/app/generate.ts") return [];
  return target === "src/server/create-server.ts" ? [] : [`server-lends-nothing: ${path}: ${target}`];
}

// Loading the schemas would cost every command more than its work, and the dashboard half its size: clients import only types.
function checkSchemas(path: string, target: string, typeOnly: boolean): readonly string[] {
  if (typeOnly || !isSchemas(target) || isSchemas(path) || WITH_SCHEMAS.includes(layerOf(path))) return [];
  return [`types-of-schemas: ${path}: ${target}`];
}

function isSchemas(path: string): boolean {
  return /^src\/protocol\/(views|bodies|calls)\//.test(path);
}

function checkPlugin(path: string, target: string): readonly string[] {
  if (layerOf(target) !== "plugins") return [];
  if (target === "src/plugins/registry.ts") {
    return layerOf(path) === "app" ? [] : [`registry-for-app: ${path}: ${target}`];
  }
  if (path === "src/plugins/registry.ts" || pluginFolder(path) === pluginFolder(target)) return [];
  return [`plugins-by-registry: ${path}: ${target}`];
}

function pluginFolder(path: string): string {
  return path.split("/").slice(0, 4).join("/");
}

function importsOf(text: string): readonly Import[] {
  const code = withoutComments(text);
  const statements = code.matchAll(/^\s*(?:import|export)\b(\s+type\b)?([^"';]*?)\bfrom\s*"([^"]+)"/gm);
  const dynamic = code.matchAll(/\bimport\(\s*"([^"]+)"\s*\)/g);
  const bare = code.matchAll(/^import\s+"([^"]+)"/gm);
  return [
    ...[...statements].map(([, type, names, from]) => ({ from: from ?? "", typeOnly: isTypeOnly(type, names) })),
    ...[...dynamic, ...bare].map(([, from]) => ({ from: from ?? "", typeOnly: false })),
  ];
}

function isTypeOnly(type: string | undefined, names: string | undefined): boolean {
  if (type !== undefined) return true;
  const inside = /^\s*\{([^}]*)\}\s*$/.exec(names ?? "")?.[1];
  const each =
    inside
      ?.split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "") ?? [];
  return each.length > 0 && each.every((name) => name.startsWith("type "));
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}

function resolve(path: string, from: string): string {
  return normalize(join(dirname(path), from));
}

// Imports of types count too: files that name each other can only be understood together.
function findCycles(files: readonly SourceFile[]): readonly string[] {
  const edges = new Map(
    files.map(({ path, text }) => [
      path,
      importsOf(text)
        .filter(({ from }) => from.startsWith("."))
        .map(({ from }) => resolve(path, from)),
    ]),
  );
  const breaches: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) breaches.push(`no-cycles: ${[...trail.slice(trail.indexOf(path)), path].join(" -> ")}`);
    if (done.has(path) || trail.includes(path)) return;
    for (const target of edges.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  return breaches;
}

const root = fileURLToPath(new URL("..", import.meta.url));

function listFiles(folder: string, ending: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return listFiles(path, ending);
    return entry.name.endsWith(ending) ? [path] : [];
  });
}

function readSources(): readonly SourceFile[] {
  const paths = [...listFiles("src", ".ts"), ...listFiles("test", ".ts")];
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

function listFolders(folder: string): readonly string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

describe("the source", () => {
  it("follows the table of layers and the rules of each", () => {
    expect(findBreaches(readSources())).toEqual([]);
  });

  it("lets the dashboard import only the protocol and the escaping of hidden characters", () => {
    const files = [...listFiles("web/src", ".ts"), ...listFiles("web/src", ".tsx")];
    const foreign = files.flatMap((path) =>
      importsOf(readFileSync(join(root, path), "utf8"))
        .map(({ from }) => normalize(join(dirname(path), from)))
        .filter((target) => target.startsWith("src/") && !target.startsWith("src/protocol/"))
        .filter((target) => target !== "src/core/hidden-characters.ts")
        .map((target) => `${path} imports ${target}`),
    );
    expect(foreign).toEqual([]);
  });

  it("has a row in the table of layers for each folder, and no other", () => {
    expect([...listFolders("src")].sort()).toEqual(Object.keys(LAYERS).sort());
  });
});

describe("plugins", () => {
  const folders = listFolders("src/plugins").flatMap((slot) =>
    listFolders(`src/plugins/${slot}`).map((name) => `${slot}/${name}`),
  );
  const registered = registry.map(({ slot, name }) => `${slot}/${name}`);

  it("in the registry match the folders under src/plugins", () => {
    expect([...registered].sort()).toEqual([...folders].sort());
  });

  it("each have a page under docs/plugins, and there are no other pages", () => {
    const pages = listFiles("docs/plugins", ".md").map((path) => path.replace(/^docs\/plugins\/|\.md$/g, ""));
    expect([...pages].sort()).toEqual([...folders].sort());
  });

  it("are exactly the ones that the configuration calls available", () => {
    const available = Object.entries(PLUGIN_NAMES).flatMap(([slot, names]) =>
      names.available.map((name) => `${slot}/${name}`),
    );
    expect([...available].sort()).toEqual([...registered].sort());
  });
});

describe("executors", () => {
  it("each have a table of their own with every outcome, next to them", () => {
    const tests = listFiles("src/engine/executors", ".test.ts");
    const missing = Object.keys(executors).filter((kind) => !tests.includes(`src/engine/executors/${kind}.test.ts`));
    expect(missing).toEqual([]);
  });
});

describe("the checker", () => {
  // Spelled so that the rule does not match this file.
  const MOCK = "mock";
  const views: SourceFile = { path: "src/server/views.ts", text: "export interface View {}\n" };
  const engine: SourceFile = { path: "src/engine/engine.ts", text: "export interface Engine {}\n" };
  const schema: SourceFile = { path: "src/protocol/views/a.ts", text: "export const AView = 1;\n" };
  const plugin: SourceFile = { path: "src/plugins/agent/a/a.ts", text: "export const a = 1;\n" };

  it.each([
    ["direction", "src/core/a.ts", 'import { x } from "../engine/engine.ts";'],
    ["direction", "src/cli/a.ts", 'const { x } = await import("../engine/engine.ts");'],
    ["direction", "src/protocol/a.ts", 'export type { Engine } from "../engine/engine.ts";'],
    ["direction", "src/server/a.ts", 'import type { Engine } from "../engine/engine.ts";'],
    ["text-of-others-is-visible", "src/cli/commands/a.ts", "process.stdout.write(diff);"],
    ["writes-by-actions", "src/server/routes/a.ts", "await engine.submit({ input });"],
    ["server-lends-nothing", "src/app/a.ts", 'import { toView } from "../server/views.ts";'],
    ["core-is-pure", "src/core/a.ts", 'import { join } from "node:path";'],
    ["core-is-pure", "src/core/a.ts", "const dice = Math.random();"],
    ["through-the-host", "src/engine/a.ts", 'import { readFile } from "node:fs/promises";'],
    ["through-the-host", "src/plugins/agent/b/b.ts", "const home = process.env.HOME;"],
    ["through-the-host", "src/providers/b.ts", 'await fetch("https://example.org");'],
    ["through-the-host", "src/engine/a.ts", "setTimeout(() => undefined, 5);"],
    ["through-the-host", "src/core/a.ts", "const now = Date.now();"],
    ["browser-safe", "src/protocol/a.ts", 'import { join } from "node:path";'],
    ["types-of-schemas", "src/cli/a.ts", 'import { AView } from "../protocol/views/a.ts";'],
    ["types-of-schemas", "src/protocol/b.ts", 'import { AView } from "./views/a.ts";'],
    ["listed-packages", "src/cli/a.ts", 'import { z } from "zod";'],
    ["listed-packages", "src/ports/a.ts", 'import { z } from "zod";'],
    ["plugins-by-registry", "src/app/a.ts", 'import { a } from "../plugins/agent/a/a.ts";'],
    ["plugins-by-registry", "src/plugins/agent/b/b.ts", 'import { a } from "../a/a.ts";'],
    ["paths-survive-bundling", "src/server/routes/a.ts", 'const page = new URL("../../../web", import.meta.url);'],
    ["known-layers", "src/utils/a.ts", "export const a = 1;"],
    ["resolvable", "src/core/a.ts", 'import { x } from "./nowhere.ts";'],
    ["no-mocks-of-our-own", "src/core/a.test.ts", `vi.${MOCK}("./name.ts");`],
    ["no-cycles", "src/core/a.ts", 'import { a } from "./a.ts";'],
    ["no-cycles", "src/core/a.ts", 'import type { A } from "./a.ts";'],
  ])("finds a violation of %s in %s: %s", (rule, path, text) => {
    const found = findBreaches([engine, views, schema, plugin, { path, text: `${text}\n` }]);
    expect(found.map((breach) => breach.split(":")[0])).toContain(rule);
  });

  it.each([
    ["src/app/a.ts", 'import type { View } from "../server/views.ts";'],
    ["src/app/a.ts", 'import { type View } from "../server/views.ts";'],
    ["src/cli/a.ts", 'import type { AView } from "../protocol/views/a.ts";'],
    ["src/server/a.ts", 'import { AView } from "../protocol/views/a.ts";'],
    ["src/ports/a.ts", 'import type { ZodType } from "zod";'],
    ["src/plugins/agent/a/b.ts", 'import { a } from "./a.ts";\nimport { join } from "node:path";'],
    ["src/core/a.ts", '// like fetch( and setTimeout(\nexport const text = "Math.random()";'],
    ["src/engine/a.ts", "members.some((process) => process.pid === 1); host.clock.setTimeout(1);"],
    ["src/core/a.test.ts", 'import { x } from "../engine/engine.ts";\nvi.mock("node:fs");'],
  ])("accepts %s: %s", (path, text) => {
    expect(findBreaches([engine, views, schema, plugin, { path, text: `${text}\n` }])).toEqual([]);
  });
});
