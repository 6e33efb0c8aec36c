import { isAbsolute, join, normalize } from "node:path";
import { plainGlob } from "../../core/glob/glob.ts";

/** Where relative paths and `~` of rules and tools point. */
export interface Place {
  readonly cwd: string;
  readonly home: string;
  /** The file system treats `A` and `a` as the same name; default: as on this platform. */
  readonly ignoresCase?: boolean;
}

/** Is an entry of `allow` or `deny` a path, rather than a command? */
export function isPathRule(entry: string): boolean {
  return /^(\/|~\/|\.\.?\/)/.test(entry);
}

/** An absolute path without `.` and `..`. */
export function resolvePath(path: string, { cwd, home }: Place): string {
  if (path.startsWith("~/")) return join(home, path.slice(2));
  return isAbsolute(path) ? normalize(path) : join(cwd, path);
}

/**
 * Creates a test for a list of rules: does one of them cover this absolute path?
 *
 * In a rule `*` and `?` stay within a folder and `**` does not. All other characters are literal, so a rule about
 * `./app/[id]` or `./{x}` matches the file of that name. Names that start with a dot are not special. A rule for a
 * folder covers everything in it, and a rule for everything in a folder covers the folder.
 */
export function createPathTest(rules: readonly string[], place: Place): (path: string) => boolean {
  const nocase = place.ignoresCase ?? process.platform === "darwin";
  const globs = rules.flatMap((rule) => toGlobs(rule, place)).flatMap((glob) => [glob, `${glob}/**`]);
  const tests = globs.map((glob) => plainGlob(nocase ? glob.toLowerCase() : glob));
  return (path) => {
    const compared = nocase ? path.toLowerCase() : path;
    return tests.some((test) => test(compared));
  };
}

// The base folders are literal names, not patterns.
function toGlobs(rule: string, { cwd, home }: Place): readonly string[] {
  const glob = resolvePath(quote(rule), { cwd: quoteAll(cwd), home: quoteAll(home) }).replace(/\/+$/, "");
  return expandInnerStars(glob);
}

// A glob's `**` next to other characters is a `*`, but `./src/**.key` must also match files in subfolders.
function expandInnerStars(glob: string): readonly string[] {
  const [, before, after] = /^(.*?(?:[^/]\*\*|\*\*(?=[^/*])))(.*)$/s.exec(glob) ?? [];
  if (before === undefined || after === undefined) return [glob];
  const start = before.replace(/\*+$/, "*");
  return [`${start}${after}`, `${start}/**/*${after}`].flatMap(expandInnerStars);
}

function quote(text: string): string {
  return text.replace(/[\\()[\]{}!+@|^$"]/g, "\\$&");
}

function quoteAll(text: string): string {
  return quote(text).replace(/[*?]/g, "\\$&");
}
