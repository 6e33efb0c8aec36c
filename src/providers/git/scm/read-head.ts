import { join } from "node:path";
import type { HostFs } from "../../../ports/host.ts";
import type { ScmProject } from "../../../ports/scm.ts";
import { type RefCommits, readRefs } from "../refs.ts";
import { findCommonDir } from "../repository.ts";
import type { ScmTools } from "./tools.ts";

const COMMIT = /^[0-9a-f]{40}([0-9a-f]{24})?$/;
// Longer packed-refs files are left to git, which does not read them whole.
const MAX_PACKED_BYTES = 4 * 1024 * 1024;

/** The commit of a branch, read from git's plain files where possible; null: no such branch. */
export async function readHead(tools: ScmTools, project: ScmProject, branch: string): Promise<string | null> {
  if (!isBranchName(branch)) return null;
  const elsewhere = tools.refFor?.(project, branch) ?? null;
  const newest = elsewhere === null ? null : await readRef(tools, project, elsewhere);
  return newest ?? readRef(tools, project, `refs/heads/${branch}`);
}

/** The commit of a ref; null when there is none. */
export async function readRef(
  { host, git }: Pick<ScmTools, "host" | "git">,
  { path }: Pick<ScmProject, "path">,
  ref: string,
): Promise<string | null> {
  const found = await readFromFiles(host.fs, await findCommonDir(host.fs, path), ref);
  if (found.kind === "known") return found.commit;
  return (await readRefs(git, path, [ref])).get(ref) ?? null;
}

/** Do git's files show that a ref names a commit or does not exist? False: it may be symbolic, so only git can tell. */
export async function isPlainRef({ host }: Pick<ScmTools, "host">, path: string, ref: string): Promise<boolean> {
  if (!isBranchName(ref)) return false;
  return (await readFromFiles(host.fs, await findCommonDir(host.fs, path), ref)).kind === "known";
}

/** The commits of some refs, without a process where possible; a ref that does not exist is absent. */
export async function readRefFiles(
  tools: Pick<ScmTools, "host" | "git">,
  project: Pick<ScmProject, "path">,
  refs: readonly string[],
): Promise<RefCommits> {
  // A text that is not a ref name could lead out of the git folder.
  const named = refs.filter(isBranchName);
  const found = await Promise.all(named.map(async (ref) => [ref, await readRef(tools, project, ref)] as const));
  return new Map(found.flatMap(([ref, commit]) => (commit === null ? [] : [[ref, commit] as const])));
}

/** Is this a valid branch name? Also keeps a made-up name from escaping git's folder. */
export function isBranchName(name: string): boolean {
  if (name === "" || name.startsWith("-") || name.endsWith("/") || name.endsWith(".")) return false;
  if (/[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\//.test(name)) return false;
  return name.split("/").every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"));
}

type Answer = { readonly kind: "known"; readonly commit: string | null } | { readonly kind: "ask-git" };

async function readFromFiles(fs: HostFs, commonDir: string, ref: string): Promise<Answer> {
  if ((await fs.stat(join(commonDir, "reftable"))) !== null) return { kind: "ask-git" };
  const path = join(commonDir, ref);
  const stat = await fs.stat(path);
  if (stat?.kind === "file") {
    const text = ((await fs.readText(path)) ?? "").trim();
    if (COMMIT.test(text)) return { kind: "known", commit: text };
    // Just deleted, a symbolic ref, or half written by another program.
    return { kind: "ask-git" };
  }
  if (stat !== null && stat.kind !== "directory") return { kind: "ask-git" };
  return readPacked(fs, join(commonDir, "packed-refs"), ref);
}

async function readPacked(fs: HostFs, path: string, ref: string): Promise<Answer> {
  const stat = await fs.stat(path);
  if (stat === null) return { kind: "known", commit: null };
  if (stat.size > MAX_PACKED_BYTES) return { kind: "ask-git" };
  const text = (await fs.readText(path)) ?? "";
  const end = text.indexOf(` ${ref}\n`);
  if (end < 0) return { kind: "known", commit: null };
  const commit = text.slice(text.lastIndexOf("\n", end) + 1, end);
  return COMMIT.test(commit) ? { kind: "known", commit } : { kind: "ask-git" };
}
