import { matchGlob } from "../glob/glob.ts";
import { commandsIn } from "./command-words.ts";
import { foldPath, type HeldFacts, type HeldPath, type HeldRule, type HeldSource } from "./held.ts";
import { textOfTargets } from "./makefile.ts";
import { readScripts, scriptsNamed } from "./package-scripts.ts";
import { emptyTrace, type Trace, traceCommand } from "./trace-command.ts";

/** One file in the base, in the commit where the change left it, and in the change; null: not there. */
export interface Versions {
  readonly path: string;
  readonly base: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

/** Files of interest in a change. */
export interface ChangedFiles {
  readonly head: string;
  readonly base: string;
  readonly paths: readonly string[];
}

const MAX_HELD = 20;
const MAX_MANIFESTS = 50;
const MAX_ROUNDS = 8;
const MAKEFILES = ["GNUmakefile", "makefile", "Makefile"];
const MANIFESTS: readonly string[] = ["package.json", ...MAKEFILES];
/** What a program adds to a name to find the file. */
const ENDINGS = [
  "",
  ".js",
  ".mjs",
  ".cjs",
  ".ts",
  ".mts",
  ".cts",
  "/index.js",
  "/index.mjs",
  "/index.ts",
  "/__main__.py",
];

/** The files whose entries the commands of a rule may run. */
export function manifestsOf({ commands }: HeldRule, changed: readonly string[]): readonly string[] {
  const trace = emptyTrace();
  for (const { run } of commands) for (const words of commandsIn(run)) traceCommand(trace, words);
  if (trace.scripts.size === 0 && !trace.runsMake) return [];
  const known = [...trace.folders].flatMap((folder) => MANIFESTS.map((name) => folder + name));
  const touched = changed.filter((path) => MANIFESTS.includes(baseName(path)));
  return [...new Set([...known, ...touched])].slice(0, MAX_MANIFESTS);
}

/** The held paths among the changed ones. */
export function findHeld(
  rule: HeldRule,
  { changed, manifests }: { readonly changed: readonly string[]; readonly manifests: readonly Versions[] },
): HeldFacts {
  const found = new Map<string, HeldPath>();
  const add = (path: HeldPath): void => {
    const name = `${path.path}\0${path.entry ?? ""}`;
    if (!found.has(name)) found.set(name, path);
  };
  for (const path of changed) {
    const file = rule.files.find(({ glob }) => matchGlob(foldPath(glob), foldPath(path)) !== false);
    if (file !== undefined) add({ path, source: file.source });
  }
  for (const { run, source } of rule.commands)
    for (const path of heldBy(run, { changed, manifests, source })) add(path);
  return { rule: rule.key, paths: [...found.values()].slice(0, MAX_HELD), count: found.size };
}

interface Change {
  readonly changed: readonly string[];
  readonly manifests: readonly Versions[];
  readonly source: HeldSource;
}

function heldBy(run: string, { changed, manifests, source }: Change): readonly HeldPath[] {
  const trace = followCommand(run, manifests);
  const paths = [...trace.paths].map(foldPath);
  const named = new Set(
    [...trace.folders].flatMap((folder) =>
      paths.flatMap((path) => ENDINGS.map((ending) => normalizePath(foldPath(folder) + path) + ending)),
    ),
  );
  const files = changed.filter((path) => named.has(foldPath(path))).map((path): HeldPath => ({ path, source }));
  return [...files, ...manifests.flatMap((versions) => changedEntries(versions, trace, { changed, source }))];
}

/** What a command runs, through the scripts and targets of the base. */
function followCommand(run: string, manifests: readonly Versions[]): Trace {
  const trace = emptyTrace();
  const seen = new Set<string>();
  let texts: readonly string[] = [run];
  for (let round = 0; round < MAX_ROUNDS && texts.length > 0; round++) {
    for (const text of texts) {
      seen.add(text);
      for (const line of text.split("\n")) for (const words of commandsIn(toCommand(line))) traceCommand(trace, words);
    }
    texts = manifests.flatMap((versions) => textsRun(versions, trace)).filter((text) => !seen.has(text));
  }
  return trace;
}

/** A line of a recipe as the shell gets it. */
function toCommand(line: string): string {
  return line.replace(/^\t[@+-]*/, "").replaceAll(/\$[({]MAKE[)}]/g, "make");
}

function textsRun({ path, base }: Versions, trace: Trace): readonly string[] {
  if (!isReached(path, trace)) return [];
  if (baseName(path) !== "package.json") return trace.runsMake ? [textOfTargets(base, [...trace.targets])] : [];
  const scripts = readScripts(base) ?? new Map<string, string>();
  return [...trace.scripts].flatMap((name) => scriptsNamed(name, scripts.keys()).map((one) => scripts.get(one) ?? ""));
}

function changedEntries(
  { path, before, after }: Versions,
  trace: Trace,
  { changed, source }: Pick<Change, "changed" | "source">,
): readonly HeldPath[] {
  if (!changed.includes(path) || !isReached(path, trace)) return [];
  if (baseName(path) !== "package.json") {
    const targets = [...trace.targets];
    const isSame = textOfTargets(before, targets) === textOfTargets(after, targets);
    return !trace.runsMake || isSame ? [] : [{ path, source }];
  }
  const [old, now] = [readScripts(before), readScripts(after)];
  if (now === null || old === null) return trace.scripts.size === 0 ? [] : [{ path, source }];
  const known = new Set([...old.keys(), ...now.keys()]);
  const run = new Set([...trace.scripts].flatMap((name) => scriptsNamed(name, known)));
  return [...run].filter((name) => old.get(name) !== now.get(name)).map((entry) => ({ path, entry, source }));
}

function isReached(path: string, { folders, isEverywhere }: Trace): boolean {
  return isEverywhere || folders.has(path.slice(0, -baseName(path).length));
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Without `.` and `..`. */
function normalizePath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}
