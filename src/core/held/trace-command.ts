import { targetsOf } from "./makefile.ts";
import { reachesWorkspaces, scriptsRunBy } from "./package-scripts.ts";

/** What is known so far about what a command runs. */
export interface Trace {
  /** Words that can be paths. */
  readonly paths: Set<string>;
  readonly scripts: Set<string>;
  readonly targets: Set<string>;
  /** Folders in which something runs, with a slash at their end; empty text: the repository's own. */
  readonly folders: Set<string>;
  runsMake: boolean;
  isEverywhere: boolean;
}

const FOLDER_FLAGS = /^(?:-C|--prefix|--dir|--cwd|--directory|-D)$/;
const MAX_TRACED = 500;

/** Nothing yet. */
export function emptyTrace(): Trace {
  return {
    paths: new Set(),
    scripts: new Set(),
    targets: new Set(),
    folders: new Set([""]),
    runsMake: false,
    isEverywhere: false,
  };
}

/** Adds what one command runs. */
export function traceCommand(trace: Trace, words: readonly string[]): void {
  if (trace.paths.size > MAX_TRACED) return;
  for (const [at, word] of words.entries()) {
    for (const path of pathsIn(word, words[at - 1])) trace.paths.add(path);
    const folder = folderIn(word, words[at - 1]);
    if (folder !== null) addFolder(trace, folder);
  }
  for (const script of scriptsRunBy(words)) trace.scripts.add(script);
  const targets = targetsOf(words);
  if (targets !== null) trace.runsMake = true;
  for (const target of targets ?? []) trace.targets.add(target);
  trace.isEverywhere ||= reachesWorkspaces(words);
}

function pathsIn(word: string, before: string | undefined): readonly string[] {
  if (before === "-m" && /^[\w.]+$/.test(word)) {
    const module = word.replaceAll(".", "/");
    return [`${module}.py`, module];
  }
  const values = [word, word.slice(word.indexOf("=") + 1)].map((value) => value.split(":", 1)[0] ?? "");
  // `$PWD/check.sh` is most likely one of the repository's own.
  return values.map((value) => value.replace(/^\$[{(]?\w+[)}]?\//, "")).filter((value) => value !== "");
}

function folderIn(word: string, before: string | undefined): string | null {
  if (before !== undefined && (before === "cd" || before === "pushd" || FOLDER_FLAGS.test(before))) return word;
  return /^--(?:prefix|dir|cwd|directory)=(.+)$/.exec(word)?.[1] ?? null;
}

function addFolder({ folders }: Trace, folder: string): void {
  const clean = folder.split("/").filter((part) => part !== "" && part !== ".");
  if (clean.length > 0 && !clean.includes("..")) folders.add(`${clean.join("/")}/`);
}
