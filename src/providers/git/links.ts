import { dirname, join } from "node:path";
import type { HostFs } from "../../ports/host.ts";
import { failure } from "./failure.ts";
import type { GitFolders } from "./repository.ts";

/** Files of a checkout's own git folder that git would write through a link. */
const WRITTEN = ["HEAD", "index", "logs", "logs/HEAD", "ORIG_HEAD", "COMMIT_EDITMSG", "FETCH_HEAD", "refs"];
const NAMES_REFS: ReadonlySet<string> = new Set(["update-ref", "symbolic-ref", "fetch"]);
const MOVES_HEAD: ReadonlySet<string> = new Set(["commit", "checkout"]);
const REF = /(?<![\w./-])refs\/[^\s:^~*?[\\]+/g;

/** What a call is about to write. */
interface Written {
  readonly args: readonly string[];
  readonly stdin?: string | undefined;
}

/**
 * Refuses a call that would write through a link: git follows one in place of its index, of a reflog or of a folder of refs, and
 * whoever put it there would choose which file of the user is written.
 */
export async function refuseLinks(fs: HostFs, { gitDir, commonDir }: GitFolders, call: Written): Promise<void> {
  const paths = new Set(WRITTEN.map((name) => join(gitDir, name)));
  for (const ref of await findRefs(fs, gitDir, call)) {
    for (const root of [commonDir, join(commonDir, "logs")]) {
      for (let path = join(root, ref); path.length > commonDir.length; path = dirname(path)) paths.add(path);
    }
  }
  const kinds = await Promise.all([...paths].map(async (path) => [path, (await fs.stat(path))?.kind] as const));
  for (const [path, kind] of kinds) {
    if (kind !== "symlink") continue;
    // Old versions of git made HEAD a link to its branch, which git replaces instead of following it.
    if ((await fs.readLink(path))?.startsWith("refs/") === true) continue;
    throw failure("conflict", "config", {
      message: `${path} is a symbolic link, and git would write to the file behind it.`,
      hint: `Look where it leads, then remove it: rm ${path}`,
    });
  }
}

async function findRefs(fs: HostFs, gitDir: string, { args, stdin }: Written): Promise<readonly string[]> {
  const command = args.find((arg, at) => !arg.startsWith("-") && args[at - 1] !== "-c") ?? "";
  if (NAMES_REFS.has(command)) return [...args, stdin ?? ""].join("\n").match(REF) ?? [];
  if (command === "worktree") return args.includes("-b") ? [`refs/heads/${args[args.indexOf("-b") + 1]}`] : [];
  return MOVES_HEAD.has(command) ? (((await fs.readText(join(gitDir, "HEAD"))) ?? "").match(REF) ?? []) : [];
}
