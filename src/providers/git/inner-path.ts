import { isAbsolute } from "node:path";

/** Is this a path below the project's root, and not in its git folder? */
export function isInside(path: string): boolean {
  const parts = partsOf(path);
  return (
    !isAbsolute(path) && parts.length > 0 && !parts.includes("..") && !parts.includes(".git") && !path.includes("\0")
  );
}

/** A configured path without redundant parts. */
export function normalizePath(path: string): string {
  return partsOf(path).join("/");
}

/** The names in a path, without empty ones and `.`. */
export function partsOf(path: string): readonly string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}
