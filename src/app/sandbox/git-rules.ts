import { join } from "node:path";
import { SESSION_MARKER } from "../../core/name.ts";
import type { HostFs } from "../../ports/host.ts";
import type { GitFolders } from "../../providers/git/repository.ts";
import type { PlaceRule } from "./bubblewrap.ts";

/** Where the shared git folder itself can be read, inside the folder that covers it. */
const SHARED = "ao-shared";
/** Git follows this many links before it creates a lock next to a file (MAXDEPTH in its lockfile.c). */
const LOCK_LINKS = 5;
/** Entries of a git folder with their own rules, or that no commit needs. */
const HANDLED = new Set([
  "objects",
  "refs",
  "logs",
  "worktrees",
  "packed-refs",
  "lfs",
  "rr-cache",
  "ao-trash",
  "ao-incoming",
  SHARED,
]);

/**
 * What a program in the sandbox finds at the git folders of its workspace. Git also runs outside, for the user and for
 * `ao`, so nothing that decides where git looks or which programs it starts can be written: neither changed nor
 * created.
 */
export function gitRules(fs: HostFs, folders: GitFolders, kept: string): Promise<readonly PlaceRule[]> {
  return folders.gitDir === folders.commonDir ? ownRules(fs, folders) : linkedRules(fs, folders, kept);
}

/**
 * A repository of its own. A separate mount keeps a folder from being moved away together with what must stay in it, and
 * so from becoming a link where `ao` writes.
 */
async function ownRules(fs: HostFs, { gitDir }: GitFolders): Promise<readonly PlaceRule[]> {
  const at = (name: string): string => join(gitDir, name);
  const fixed = ["hooks", "info", "worktrees", "objects/info", "refs/ao"];
  for (const name of [...fixed, "refs/remotes"]) await fs.makeDir(at(name));
  // A program of the user would find settings and hooks by them.
  for (const [name, text] of [
    ["commondir", ".\n"],
    ["config.worktree", ""],
  ] as const) {
    if ((await fs.stat(at(name))) === null) await fs.writeText(at(name), text);
  }
  const remotes = (await fs.list(at("refs/remotes"))).map((name) => `refs/remotes/${name}`);
  const folders = await Promise.all(remotes.map(async (name) => ((await isFolder(fs, at(name))) ? [name] : [])));
  const files = ["config", "commondir", "config.worktree", SESSION_MARKER];
  return [
    ...["", "objects", "refs", "refs/remotes", ...folders.flat()].map(
      (name): PlaceRule => ({ path: at(name), as: "write" }),
    ),
    ...[...files, ...fixed].map((name): PlaceRule => ({ path: at(name), as: "read" })),
  ];
}

/**
 * A linked worktree gets the shared folder as an empty one, with links to what it may read and mounts of what it may
 * write. So a missing file, such as `commondir`, cannot be created in the shared folder.
 */
async function linkedRules(
  fs: HostFs,
  { gitDir, commonDir, workTree }: GitFolders,
  kept: string,
): Promise<readonly PlaceRule[]> {
  const at = (name: string): string => join(commonDir, name);
  for (const name of ["refs", "logs"]) await fs.makeDir(join(kept, name), { mode: 0o700 });
  await fs.makeDir(at("objects/info"));
  const names = (await fs.list(commonDir)).filter((name) => !HANDLED.has(name) && !name.endsWith(".lock"));
  return [
    { path: commonDir, as: "hidden" },
    { path: at(SHARED), as: "read", from: commonDir },
    ...names.map((name): PlaceRule => ({ path: at(name), as: "link", from: `${SHARED}/${name}` })),
    ...packedRefsRules(commonDir),
    { path: at("objects"), as: "write" },
    { path: at("objects/info"), as: "read" },
    ...((await isFolder(fs, at("lfs"))) ? [{ path: at("lfs"), as: "write" } as const] : []),
    // Reflogs and the stash are the session's own: through a link in place of a reflog, git would write anywhere.
    { path: at("logs"), as: "write", from: join(kept, "logs") },
    { path: at("refs"), as: "write", from: join(kept, "refs") },
    ...(await refRules(fs, at("refs"))),
    { path: at("worktrees"), as: "read" },
    ...(await ownEntryRules(fs, gitDir)),
    ...(workTree === null ? [] : [{ path: join(workTree, ".git"), as: "read" } as const]),
  ];
}

/**
 * Packed refs must be current, so the file is reached through the shared folder. To end a rebase, git locks them
 * without writing: after five links the lock is in the covering folder. The file that git would write first already
 * exists and cannot be replaced, so no branch is packed into a file that only the sandbox has.
 */
function packedRefsRules(commonDir: string): readonly PlaceRule[] {
  const names = ["packed-refs", ...Array.from({ length: LOCK_LINKS }, (_, at) => `ao-packed-refs-${at + 1}`)];
  const links = names.map(
    (name, at): PlaceRule => ({
      path: join(commonDir, name),
      as: "link",
      from: names[at + 1] ?? `${SHARED}/packed-refs`,
    }),
  );
  return [...links, { path: join(commonDir, `${names[LOCK_LINKS]}.new`), as: "read", from: "/dev/null" }];
}

async function refRules(fs: HostFs, refs: string): Promise<readonly PlaceRule[]> {
  const rules: PlaceRule[] = [];
  for (const name of await fs.list(refs)) {
    if (!(await isFolder(fs, join(refs, name)))) continue;
    // What ao saved does not belong to the agent.
    rules.push({ path: join(refs, name), as: name === "ao" ? "read" : "write" });
  }
  return rules;
}

// Of the folders of linked worktrees only its own is writable, so that no other session's index can be touched.
async function ownEntryRules(fs: HostFs, gitDir: string): Promise<readonly PlaceRule[]> {
  const settings = join(gitDir, "config.worktree");
  if ((await fs.stat(settings)) === null) await fs.writeText(settings, "");
  const fixed = ["commondir", "gitdir", "config.worktree", SESSION_MARKER].map((name) => join(gitDir, name));
  const present = await Promise.all(fixed.map(async (path) => ((await fs.stat(path))?.kind === "file" ? [path] : [])));
  return [{ path: gitDir, as: "write" }, ...present.flat().map((path): PlaceRule => ({ path, as: "read" }))];
}

async function isFolder(fs: HostFs, path: string): Promise<boolean> {
  return (await fs.stat(path))?.kind === "directory";
}
