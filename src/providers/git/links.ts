import { dirname, join } from "node:path";
import type { HostFs } from "../../ports/host.ts";
import { failure } from "./failure.ts";
import type { GitFolders } from "./repository.ts";

/** Files of a checkout's own git folder that git would write through a link. */
const WRITTEN = ["HEAD", "index", "logs", "logs/HEAD", "ORIG_HEAD", "COMMIT_EDITMSG", "FETCH_HEAD", "refs"];
const NAMES_REFS: ReadonlySet<string> = new Set(["update-ref", "symbolic-ref", "fetch"]);
const MOVES_HEAD: ReadonlySet<string> = new Set(["commit", "checkout"]);
const WRITES_OBJECTS: ReadonlySet<string> = new Set([
  ...["add", "commit", "commit-tree", "fetch", "hash-object", "merge-tree", "mktree", "stash", "write-tree"],
]);
const REF = /(?<![\w./-])refs\/[^\s:^~*?[\\]+/g;

/** The modification time of each objects folder when it was last found free of links. */
const checkedObjects = new Map<string, number>();

/** What a call will write. */
interface Written {
  readonly args: readonly string[];
  readonly stdin?: string | undefined;
}

/**
 * Rejects a call that would write through a link: git follows a link in place of its index, a reflog or a refs folder,
 * so an attacker could choose which of the user's files is written.
 */
export async function refuseLinks(fs: HostFs, folders: GitFolders, call: Written): Promise<void> {
  const objects = join(folders.commonDir, "objects");
  const state = WRITES_OBJECTS.has(commandOf(call)) ? ((await fs.stat(objects))?.mtimeMs ?? 0) : null;
  // There are up to 256 of them, and adding a link would change the parent folder.
  const areNew = state !== null && checkedObjects.get(objects) !== state;
  const inner = areNew ? (await fs.list(objects)).map((name) => join(objects, name)) : [];
  const paths = new Set([...(await findWritten(fs, folders, call)), ...inner]);
  const kinds = await Promise.all([...paths].map(async (path) => [path, (await fs.stat(path))?.kind] as const));
  for (const [path, kind] of kinds) {
    if (kind !== "symlink") continue;
    // Old versions of git made HEAD a link to its branch, which git replaces instead of following.
    if ((await fs.readLink(path))?.startsWith("refs/") === true) continue;
    throw failure("conflict", "config", {
      message: `${path} is a symbolic link, and git would write to the file behind it.`,
      hint: `Check where it points, then remove it: rm ${path}`,
    });
  }
  if (areNew) checkedObjects.set(objects, state);
}

async function findWritten(fs: HostFs, { gitDir, commonDir }: GitFolders, call: Written): Promise<readonly string[]> {
  const paths = WRITTEN.map((name) => join(gitDir, name));
  for (const ref of await findRefs(fs, gitDir, call)) {
    for (const root of [commonDir, join(commonDir, "logs")]) {
      for (let path = join(root, ref); path.length > commonDir.length; path = dirname(path)) paths.push(path);
    }
  }
  return paths;
}

function commandOf({ args }: Written): string {
  return args.find((arg, at) => !arg.startsWith("-") && args[at - 1] !== "-c") ?? "";
}

async function findRefs(fs: HostFs, gitDir: string, call: Written): Promise<readonly string[]> {
  const { args, stdin } = call;
  const command = commandOf(call);
  if (NAMES_REFS.has(command)) return [...args, stdin ?? ""].join("\n").match(REF) ?? [];
  if (command === "worktree") return args.includes("-b") ? [`refs/heads/${args[args.indexOf("-b") + 1]}`] : [];
  return MOVES_HEAD.has(command) ? (((await fs.readText(join(gitDir, "HEAD"))) ?? "").match(REF) ?? []) : [];
}
