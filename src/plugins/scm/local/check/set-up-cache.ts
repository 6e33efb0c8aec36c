import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { Host } from "../../../../ports/host.ts";
import type { CheckRequest } from "../../../../ports/scm.ts";
import { type GitCall, splitNul } from "../../../../providers/git/git.ts";
import type { ScmTools } from "../../../../providers/git/scm/tools.ts";
import { isPlainFolder } from "../../../../providers/git/symlink.ts";
import { removeTree } from "./clean-tree.ts";
import type { CheckFolder } from "./folder.ts";
import type { SetUpPlan } from "./set-up-key.ts";

const KEPT = 5;
const COPY_LIMIT_MS = 600_000;
const Entry = z.object({ paths: z.array(z.string().min(1)), print: z.string() });

// The names of all files, and which are empty: damage from a machine crash shows up there.
const PRINT = "{ find . ; echo --; find . -type f -size 0; } | LC_ALL=C sort | cksum";

// Partial entries of this process; all others are left over from a former one.
const inWork = new Set<string>();

/**
 * The folder of a project's prepared checkouts; null if there is no place for them. What a program in a sandbox made is
 * kept apart: no check outside may ever start it.
 */
export function cacheOf(
  tools: ScmTools,
  { project, enclose }: Pick<CheckRequest, "project" | "enclose">,
): string | null {
  const kind = enclose === undefined ? "setup" : "setup-sandboxed";
  return tools.home === "" ? null : join(tools.home, "cache", kind, encodeURIComponent(project.id));
}

/** Brings what an earlier set-up made into a tree; false when there is nothing whole. A damaged entry is thrown away. */
export async function restoreSetUp(
  tools: ScmTools,
  cache: string,
  { key, tree }: { readonly key: string; readonly tree: string },
): Promise<boolean> {
  const { fs, log } = tools.host;
  const folder = join(cache, key);
  if ((await fs.stat(folder)) === null) return false;
  const copied: string[] = [];
  try {
    const entry = Entry.parse(JSON.parse((await fs.readText(join(folder, "entry.json"))) ?? ""));
    if ((await printOf(tools.host, join(folder, "files"))) !== entry.print) throw new Error("files are missing");
    for (const path of entry.paths) {
      // The commit decides what is a link here, and copying through one would write anywhere.
      if (!(await isPlainFolder(tools, tree, dirname(path))))
        throw new Error(`${path} would be written through a link`);
      copied.push(path);
      await copyTree(tools.host, join(folder, "files", path), join(tree, path));
    }
    await fs.writeText(join(folder, "used"), "");
    return true;
  } catch (error) {
    log.warn("a prepared checkout is damaged and is made again", { folder, reason: String(error) });
    for (const path of copied) await removeTree(tools.host, join(tree, path));
    await discard(tools.host, cache, key);
    return false;
  }
}

/** Keeps what a set-up made in a clean tree, whole or not at all; only the newest few are kept. */
export async function storeSetUp(
  tools: ScmTools,
  cache: string,
  { plan, files, isEnclosed }: { readonly plan: SetUpPlan; readonly files: CheckFolder; readonly isEnclosed: boolean },
): Promise<void> {
  const { host } = tools;
  const { tree } = files;
  const paths = isEnclosed ? await listMadeInside(tools, files) : await listMade(tools, { cwd: tree });
  if (paths === null || paths.length === 0) return;
  const name = `.new-${randomBytes(6).toString("hex")}`;
  const folder = join(cache, name);
  inWork.add(name);
  try {
    await host.fs.makeDir(join(folder, "files"), { mode: 0o700 });
    for (const path of paths) await copyTree(host, join(tree, path), join(folder, "files", path));
    if (!plan.isPure && (await namesFolder(host, join(folder, "files"), tree))) return;
    const entry = { paths, print: await printOf(host, join(folder, "files")) };
    await host.fs.writeText(join(folder, "entry.json"), JSON.stringify(entry));
    await discard(host, cache, plan.key);
    await host.fs.rename(folder, join(cache, plan.key));
  } finally {
    inWork.delete(name);
    await removeTree(host, folder);
  }
  await prune(host, cache);
}

// Null: it changed files of the commit, which copying only the new ones would not restore.
async function listMade(tools: ScmTools, where: Pick<GitCall, "cwd" | "folders">): Promise<readonly string[] | null> {
  const args = ["status", "--porcelain", "-z", "--ignored", "--untracked-files=normal", "--no-renames"];
  const lines = splitNul((await tools.git({ ...where, args })).stdout);
  if (lines.some((line) => !/^(\?\?|!!) /.test(line))) return null;
  return lines.map((line) => line.slice(3).replace(/\/$/, ""));
}

// Its git folder may name programs by now, and a submodule has one of its own.
async function listMadeInside(tools: ScmTools, { tree, git }: CheckFolder): Promise<readonly string[] | null> {
  const where = { cwd: tree, folders: { gitDir: git, commonDir: git, workTree: tree } };
  const { stdout } = await tools.git({ ...where, args: ["ls-files", "--stage", "-z"] });
  return splitNul(stdout).some((line) => line.startsWith("160000 ")) ? null : listMade(tools, where);
}

// A Python environment, for example, works only in the folder it was created for.
async function namesFolder(host: Host, files: string, tree: string): Promise<boolean> {
  const script = 'grep -rqF -e "$1" . || find . -type l -exec readlink {} + | grep -qF -e "$1"';
  const args = ["-c", script, "sh", tree];
  return (await host.exec({ program: "sh", args, cwd: files, okCodes: [0, 1], timeoutMs: COPY_LIMIT_MS })).code === 0;
}

async function copyTree(host: Host, from: string, to: string): Promise<void> {
  await host.fs.makeDir(dirname(to));
  try {
    const args = ["-a", "--reflink=auto", "--", from, to];
    await host.exec({ program: "cp", args, timeoutMs: COPY_LIMIT_MS });
  } catch {
    // Not GNU cp.
    await removeTree(host, to);
    await host.fs.copy(from, to);
  }
}

async function printOf(host: Host, folder: string): Promise<string> {
  return (await host.exec({ program: "sh", args: ["-c", PRINT], cwd: folder, timeoutMs: COPY_LIMIT_MS })).stdout.trim();
}

// Moved away in one step, so that nobody finds half of it.
async function discard(host: Host, cache: string, key: string): Promise<void> {
  if ((await host.fs.stat(join(cache, key))) === null) return;
  const gone = join(cache, `.gone-${randomBytes(6).toString("hex")}`);
  await host.fs.rename(join(cache, key), gone);
  await removeTree(host, gone);
}

async function prune(host: Host, cache: string): Promise<void> {
  const names = await host.fs.list(cache);
  for (const name of names.filter((one) => one.startsWith(".") && !inWork.has(one))) {
    await removeTree(host, join(cache, name));
  }
  const entries = await Promise.all(
    names.filter((name) => !name.startsWith(".")).map(async (name) => ({ name, at: await lastUse(host, cache, name) })),
  );
  entries.sort((one, other) => other.at - one.at);
  for (const { name } of entries.slice(KEPT)) await discard(host, cache, name);
}

async function lastUse(host: Host, cache: string, name: string): Promise<number> {
  const used = (await host.fs.stat(join(cache, name, "used"))) ?? (await host.fs.stat(join(cache, name, "entry.json")));
  return used?.mtimeMs ?? 0;
}
