import type { Host } from "../../../ports/host.ts";

const known = new WeakMap<Host, Promise<string>>();

/** Why this git cannot merge branches in memory, or null if it can. */
export async function findMergeTreeObstacle(tools: { readonly host: Host }): Promise<string | null> {
  let asked = known.get(tools.host);
  if (asked === undefined) {
    asked = tools.host.exec({ program: "git", args: ["--version"] }).then(({ stdout }) => stdout.trim());
    asked.catch(() => known.delete(tools.host));
    known.set(tools.host, asked);
  }
  return judgeVersion(await asked);
}

/** Parses the output of `git --version`: merging without a work tree came with 2.38. */
export function judgeVersion(printed: string): string | null {
  const found = /(\d+)\.(\d+)/.exec(printed);
  // A git whose version cannot be read is tried; it reports itself what it cannot do.
  if (found === null) return null;
  const [major, minor] = [Number(found[1]), Number(found[2])];
  const enough = major > 2 || (major === 2 && minor >= 38);
  return enough ? null : `merging in memory needs git 2.38 or newer, and this is ${found[0]}`;
}
