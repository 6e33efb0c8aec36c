import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import type { Place } from "../../../providers/git/layout.ts";
import { FETCH } from "../../../providers/git/separate/transfer.ts";
import type { Tools } from "../../../providers/git/tools.ts";

/** A branch that never exists, so that a clone of the mirror starts without a branch. */
const NO_BRANCH = "refs/heads/ao/none";
const MIRRORED = ["heads", "tags", "remotes"].map((name) => `+refs/${name}/*:refs/${name}/*`);
// Few and large packs make a clone cheap; nothing else uses the mirror during maintenance.
const TIDY = [
  "-c",
  "gc.auto=1000",
  "-c",
  "gc.autoPackLimit=20",
  "-c",
  "gc.autoDetach=false",
  "gc",
  "--auto",
  "--quiet",
];

/**
 * Runs a task with an up-to-date mirror of the project, exclusively. Clones share the mirror's object files by hard
 * links (or copies), never by reference: neither its loss nor a `git gc` anywhere removes an object from a clone. So a
 * mirror that a crash left broken can simply be recreated.
 */
export async function withMirror<T>(
  tools: Tools,
  home: string,
  {
    place,
    project,
    task,
  }: { readonly place: Place; readonly project: string; readonly task: (mirror: string) => Promise<T> },
): Promise<T> {
  const mirror = mirrorPath(home, place.commonDir);
  return tools.lane(`mirror:${mirror}`, async () => {
    try {
      await updateMirror(tools, mirror, project);
      return await task(mirror);
    } catch (error) {
      if ((await tools.host.fs.stat(mirror)) === null) throw error;
      tools.host.log.warn("a mirror is made again", { mirror, error: (error as Error).message });
      await tools.host.fs.remove(mirror);
      await updateMirror(tools, mirror, project);
      return task(mirror);
    }
  });
}

function mirrorPath(home: string, commonDir: string): string {
  const name = basename(commonDir) === ".git" ? basename(dirname(commonDir)) : basename(commonDir);
  const hash = createHash("sha256").update(commonDir).digest("hex").slice(0, 12);
  return join(home, "clones", `${name.replace(/[^\w-]/g, "_")}-${hash}.git`);
}

async function updateMirror(tools: Tools, mirror: string, project: string): Promise<void> {
  const { fs } = tools.host;
  const inMirror = (args: readonly string[]): Promise<unknown> => tools.git({ cwd: mirror, args });
  if ((await fs.stat(join(mirror, "HEAD"))) === null) {
    await fs.makeDir(dirname(mirror));
    const format = await tools.git({ cwd: project, args: ["rev-parse", "--show-object-format"] });
    const args = ["init", "--quiet", "--bare", "--template=", `--object-format=${format.stdout.trim()}`, mirror];
    await tools.git({ cwd: dirname(mirror), args, discover: true });
    await inMirror(["symbolic-ref", "HEAD", NO_BRANCH]);
  }
  await inMirror([...FETCH, "--prune", project, ...MIRRORED, "^refs/remotes/*/HEAD"]);
  await inMirror(TIDY);
}
