import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";

/** How to call this very program from any folder: `ao` if that is on PATH, else node and its full path. */
export function calledAs(env: Readonly<Record<string, string | undefined>>, entry: string): string {
  return isOnPath(env["PATH"] ?? "", entry) ? "ao" : `node ${quote(entry)}`;
}

function isOnPath(path: string, entry: string): boolean {
  return path.split(delimiter).some((folder) => {
    try {
      const file = join(folder, "ao");
      accessSync(file, constants.X_OK);
      return realpathSync(file) === realpathSync(entry);
    } catch {
      return false;
    }
  });
}

function quote(text: string): string {
  return /^[\w./@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
