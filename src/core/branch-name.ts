import { writeOutHidden } from "./hidden-characters.ts";

const FORBIDDEN = /[ ~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$/;

/**
 * Does git accept this branch name, and is all of it visible? The rules are those of `git check-ref-format --branch`.
 */
export function isBranchName(name: string): boolean {
  if (name === "" || name === "@" || name === "HEAD" || name.startsWith("-") || FORBIDDEN.test(name)) return false;
  if (/[\t\n]/.test(name) || writeOutHidden(name) !== name) return false;
  return name.split("/").every((part) => !part.startsWith(".") && !part.endsWith(".lock"));
}
