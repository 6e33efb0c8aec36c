import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Files below a folder that contain a text. */
export function filesWith(folder: string, text: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory() === true) return filesWith(path, text);
    return stat?.isFile() === true && readFileSync(path).includes(text) ? [path] : [];
  });
}
