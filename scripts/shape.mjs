// Prints the figures of the source that CONTRIBUTING limits: sizes of files and functions, parameters, cycles, tiny files.
// `node scripts/shape.mjs [FOLDER]` measures another checkout with this one's linter; `--list` names what is over a limit.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize, resolve } from "node:path";
import { bin, root } from "./lib.mjs";

const LIMITS = {
  "complexity/noExcessiveLinesPerFunction": { maxLines: 50 },
  "complexity/useMaxParams": { max: 3 },
  "complexity/noExcessiveCognitiveComplexity": { maxAllowedComplexity: 15 },
};
const TINY = 30;

const folder = resolve(process.argv.slice(2).find((word) => !word.startsWith("-")) ?? root);
const isListing = process.argv.includes("--list");

function listFiles(path) {
  return readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) => {
    const inside = `${path}/${entry.name}`;
    if (entry.isDirectory()) return listFiles(inside);
    return entry.name.endsWith(".ts") && !entry.name.endsWith(".test.ts") ? [inside] : [];
  });
}

function importsOf(path, text) {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
  const statements = code.matchAll(/^\s*(?:import|export)\b(\s+type\b)?([^"';]*?)\bfrom\s*"(\.[^"]+)"/gm);
  const dynamic = code.matchAll(/\bimport\(\s*"(\.[^"]+)"\s*\)/g);
  const target = (from) => normalize(join(dirname(path), from));
  return [
    ...[...statements].map(([, type, names, from]) => ({ target: target(from), isType: isTypeOnly(type, names) })),
    ...[...dynamic].map(([, from]) => ({ target: target(from), isType: false })),
  ];
}

function isTypeOnly(type, names) {
  if (type !== undefined) return true;
  const words = /^\s*\{([^}]*)\}\s*$/.exec(names)?.[1]?.split(",") ?? [];
  const each = words.map((word) => word.trim()).filter((word) => word !== "");
  return each.length > 0 && each.every((word) => word.startsWith("type "));
}

/** Groups of files that import each other, directly or through others (Tarjan's strongly connected components). */
function findCycles(edges) {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const cycles = [];
  const visit = (path) => {
    index.set(path, index.size);
    low.set(path, index.get(path));
    stack.push(path);
    for (const next of edges.get(path) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(path, Math.min(low.get(path), low.get(next)));
    }
    if (low.get(path) !== index.get(path)) return;
    const group = stack.splice(stack.indexOf(path));
    if (group.length > 1) cycles.push(group);
  };
  for (const path of edges.keys()) if (!index.has(path)) visit(path);
  return cycles;
}

/** Biome's own count, with no exceptions: rule -> places. */
function lint() {
  const config = mkdtempSync(join(tmpdir(), "ao-shape-"));
  const rules = {};
  for (const [name, options] of Object.entries(LIMITS)) {
    const [group, rule] = name.split("/");
    rules[group] = { ...rules[group], [rule]: { level: "error", options } };
  }
  const files = { includes: ["**", "!**/*.test.ts"] };
  const linter = { rules: { preset: "none", ...rules } };
  writeFileSync(join(config, "biome.json"), JSON.stringify({ root: true, files, linter }));
  const only = Object.keys(LIMITS).map((name) => `--only=${name}`);
  const { stdout } = spawnSync(
    bin("biome"),
    ["lint", `--config-path=${config}`, "--reporter=json", "--max-diagnostics=none", ...only, "src"],
    { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 },
  );
  rmSync(config, { recursive: true });
  const places = new Map(Object.keys(LIMITS).map((name) => [name, []]));
  for (const { category, location, message } of JSON.parse(stdout).diagnostics) {
    places.get(category.replace("lint/", ""))?.push(`${location.path}:${location.start?.line} ${message}`);
  }
  return places;
}

/** Files exempt from a rule that follow it anyway: their exception can be removed. */
function listStale(places) {
  const { overrides } = JSON.parse(readFileSync(join(folder, "biome.json"), "utf8"));
  return overrides.flatMap(({ includes, linter }) => {
    const rules = Object.keys(linter.rules.complexity ?? {}).map((name) => `complexity/${name}`);
    return includes
      .filter((path) => path.endsWith(".ts") && !path.includes("*") && !path.startsWith("!"))
      .flatMap((path) =>
        rules
          .filter((rule) => !places.get(rule)?.some((at) => at.startsWith(`${path}:`)))
          .map((rule) => `${path} ${rule}`),
      );
  });
}

function at(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

const paths = listFiles("src");
const texts = new Map(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
const imports = new Map(paths.map((path) => [path, importsOf(path, texts.get(path))]));
const lines = new Map(paths.map((path) => [path, texts.get(path).split("\n").length - 1]));
const loc = [...texts.values()].map((text) => text.split("\n").filter((line) => line.trim() !== "").length);
const sorted = loc.toSorted((a, b) => a - b);
const importers = new Map();
for (const [path, found] of imports)
  for (const { target } of found) importers.set(target, (importers.get(target) ?? new Set()).add(path));
const tiny = paths.filter((path) => lines.get(path) <= TINY && importers.get(path)?.size === 1);
const edges = (isWanted) =>
  new Map([...imports].map(([path, found]) => [path, found.filter(isWanted).map((one) => one.target)]));
const runtime = findCycles(edges((one) => !one.isType));
const types = findCycles(edges(() => true)).filter(
  (group) => !runtime.some((other) => other.every((path) => group.includes(path))),
);
const places = lint();

const rows = [
  ["files", paths.length],
  ["lines of code (not blank)", loc.reduce((sum, count) => sum + count, 0)],
  ["lines per file: median / p90 / max", `${at(sorted, 0.5)} / ${at(sorted, 0.9)} / ${sorted.at(-1)}`],
  ["functions longer than 50 lines", places.get("complexity/noExcessiveLinesPerFunction")],
  ["functions with more than 3 parameters", places.get("complexity/useMaxParams")],
  ["functions with a complexity above 15", places.get("complexity/noExcessiveCognitiveComplexity")],
  [`files of at most ${TINY} lines with one importer`, tiny.map((path) => `${path} <- ${[...importers.get(path)]}`)],
  ["cycles of imports", runtime.map((group) => group.join(" "))],
  ["cycles of type imports", types.map((group) => group.join(" "))],
  ["exceptions in biome.json that are not needed", listStale(places)],
];
for (const [name, value] of rows) {
  console.log(`${String(Array.isArray(value) ? value.length : value).padStart(16)}  ${name}`);
  if (isListing && Array.isArray(value)) for (const one of value) console.log(`${" ".repeat(18)}${one}`);
}
