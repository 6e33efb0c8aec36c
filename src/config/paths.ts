import { isAbsolute, resolve } from "node:path";

/** What relative paths in a file are resolved against. */
export interface ResolvePath {
  /** Folder of the configuration file, absolute. */
  readonly base: string;
  /** The user's home folder, absolute. */
  readonly home: string;
}

/** An absolute path: `~` is the home folder, a relative path starts at `folder`. */
export function resolveFrom(folder: string, path: string, context: Pick<ResolvePath, "home">): string {
  if (path === "~") return resolve(context.home);
  if (path.startsWith("~/")) return resolve(context.home, path.slice(2));
  return isAbsolute(path) ? resolve(path) : resolve(folder, path);
}
