import { join } from "node:path";
import type { HostFs } from "../../ports/host.ts";
import { failure } from "./failure.ts";
import type { Lane } from "./lane.ts";

/** Adds missing patterns to the repository's `info/exclude` and keeps the existing ones. */
export async function addExcludes(
  fs: HostFs,
  lane: Lane,
  { commonDir, patterns }: { readonly commonDir: string; readonly patterns: readonly string[] },
): Promise<void> {
  if (patterns.length === 0) return;
  await lane(`exclude:${commonDir}`, async () => {
    const path = join(commonDir, "info", "exclude");
    for (const written of [join(commonDir, "info"), path]) await refuseLink(fs, written);
    const text = (await fs.readText(path)) ?? "";
    const present = new Set(text.split("\n").map((line) => line.replace(/\r$/, "")));
    const missing = [...new Set(patterns)].filter((pattern) => !present.has(pattern));
    if (missing.length === 0) return;
    await fs.makeDir(join(commonDir, "info"));
    // Unlike replacing, appending cannot undo what a person saves at the same moment.
    const gap = text === "" || text.endsWith("\n") ? "" : "\n";
    await fs.append(path, new TextEncoder().encode(`${gap}${missing.join("\n")}\n`));
  });
}

// With a link here, an agent could choose which of the user's files gets these lines.
async function refuseLink(fs: HostFs, path: string): Promise<void> {
  if ((await fs.stat(path))?.kind !== "symlink") return;
  throw failure("conflict", "config", {
    message: `${path} is a symbolic link, and ao would write to the file behind it.`,
    hint: `Check where it points, then remove it: rm ${path}`,
  });
}

/** The pattern that matches exactly one path, from the root of the work tree. */
export function exactPattern(path: string): string {
  return `/${path.replace(/[\\*?[\]!#]/g, "\\$&").replace(/ +$/, (spaces) => "\\ ".repeat(spaces.length))}`;
}
