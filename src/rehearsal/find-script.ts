import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { AoError } from "../core/errors.ts";

const ENDING = ".yaml";
const FALLBACK = `default${ENDING}`;

/** The file to play for an issue: the path itself, or the issue's file in that folder. */
export function findScript(path: string, issue: string): string {
  const names = listScripts(path);
  if (names === null) return path;
  const name = [`${issue}${ENDING}`, FALLBACK].find((one) => names.includes(one));
  if (name !== undefined) return join(path, name);
  throw new AoError({
    code: "config-invalid",
    message: `The folder ${path} has no script for the issue ${JSON.stringify(issue)}.`,
    hint: `Add ${issue === "" ? "" : `${issue}${ENDING} or `}${FALLBACK}.`,
  });
}

/** Every file that could be played: the path itself, or all scripts in that folder. */
export function findScripts(path: string): readonly string[] {
  const names = listScripts(path);
  if (names === null) return [path];
  if (names.length > 0) return names.map((name) => join(path, name));
  throw new AoError({
    code: "config-invalid",
    message: `The folder ${path} has no scripts.`,
    hint: `Name them after the issues, such as 7${ENDING}; ${FALLBACK} is for all others.`,
  });
}

/** The scripts in a folder; null if it is not a folder. */
function listScripts(path: string): readonly string[] | null {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return null;
  return readdirSync(path)
    .filter((name) => name.endsWith(ENDING))
    .sort();
}
