import { dirname, join } from "node:path";
import { splitNul } from "../../../providers/git/git.ts";
import type { Checkout } from "./checkout.ts";
import { filesOf, markOf } from "./journal.ts";
import type { Move } from "./move-refs.ts";
import type { ScmTools } from "./tools.ts";

const QUIET_MS = 300;
const MAX_LOOKS = 30;

/** A path that the move writes: what it was, what it becomes; a null blob is no file. */
interface Entry {
  readonly path: string;
  readonly oldBlob: string | null;
  readonly newBlob: string | null;
  readonly newMode: string;
}

/**
 * Puts the files back that git had already written when it was stopped, with the old index as the measure. A file that holds
 * neither the old nor the new content, nor the beginning of one of them, is a person's and stays.
 */
export async function rollBack(tools: ScmTools, checkout: Checkout, move: Move): Promise<void> {
  const entries = await listEntries(tools, checkout.path, move);
  await awaitQuiet(tools, checkout.path, entries);
  const ours = await findOurs(tools, checkout, entries);
  const added = ours.filter((entry) => entry.oldBlob === null);
  for (const { path } of added) await tools.host.fs.remove(join(checkout.path, path));
  await removeEmptyFolders(tools, checkout.path, added);
  const back: string[] = [];
  for (const { path, oldBlob } of ours) {
    if (oldBlob !== null && (await isWayFree(tools, checkout.path, path))) back.push(path);
  }
  if (back.length === 0) return;
  const args = ["checkout-index", "-f", "-q", "-z", "--stdin"];
  const stdin = back.map((path) => `${path}\0`).join("");
  await tools.git({ cwd: checkout.path, args, stdin, env: { AO_INTENT: markOf(checkout) } });
}

async function listEntries(tools: ScmTools, cwd: string, move: Move): Promise<readonly Entry[]> {
  const args = ["diff-tree", "-r", "-z", "--no-abbrev", "--no-renames", move.from, move.to];
  const fields = splitNul((await tools.git({ cwd, args })).stdout);
  const entries: Entry[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, newMode = "", oldBlob = "", newBlob = ""] = fields[at]!.split(" ");
    const path = fields[at + 1]!;
    entries.push({ path, newMode, oldBlob: orNull(oldBlob), newBlob: orNull(newBlob) });
  }
  return entries;
}

// A file that is empty or short may be one that an editor is saving at this moment.
async function awaitQuiet(tools: ScmTools, root: string, entries: readonly Entry[]): Promise<void> {
  const { clock, fs } = tools.host;
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    const stats = await Promise.all(entries.map(({ path }) => fs.stat(join(root, path))));
    const age = clock.now() - Math.max(0, ...stats.map((stat) => stat?.mtimeMs ?? 0));
    if (age >= QUIET_MS) return;
    await new Promise<void>((resolve) => clock.after(QUIET_MS - Math.max(0, age), resolve));
  }
}

function orNull(blob: string): string | null {
  return /^0+$/.test(blob) ? null : blob;
}

async function findOurs(tools: ScmTools, checkout: Checkout, entries: readonly Entry[]): Promise<readonly Entry[]> {
  const changed = ["diff", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--ignore-submodules=all"];
  const { stdout } = await tools.git({ cwd: checkout.path, args: changed });
  const notOld = new Set(splitNul(stdout));
  const isNew = await findNew(tools, checkout, entries);
  const ours: Entry[] = [];
  for (const entry of entries) {
    // Unchanged against the index: git had not come to it yet.
    if (entry.oldBlob !== null && !notOld.has(entry.path)) continue;
    const stat = await tools.host.fs.stat(join(checkout.path, entry.path));
    const missing = stat === null && entry.oldBlob !== null;
    const begun = stat?.kind === "file" && (await isBeginning(tools, checkout.path, entry, stat.size));
    if (missing || isNew.has(entry.path) || begun) ours.push(entry);
  }
  return ours;
}

// An index of nothing but the new files tells which of them are there whole, filters and line ends considered.
async function findNew(tools: ScmTools, checkout: Checkout, entries: readonly Entry[]): Promise<ReadonlySet<string>> {
  const { newIndex } = filesOf(checkout.gitDir);
  await tools.host.fs.remove(newIndex);
  await tools.host.fs.remove(`${newIndex}.lock`);
  const env = { GIT_INDEX_FILE: newIndex };
  const wanted = entries.filter((entry) => entry.newBlob !== null);
  const stdin = wanted.map(({ newMode, newBlob, path }) => `${newMode} ${newBlob}\t${path}\0`).join("");
  await tools.git({ cwd: checkout.path, args: ["update-index", "-z", "--index-info"], stdin, env });
  await tools.git({ cwd: checkout.path, args: ["update-index", "-q", "--refresh"], env, okCodes: [0, 1] });
  const { stdout } = await tools.git({ cwd: checkout.path, args: ["diff-files", "-z", "--name-only"], env });
  const differs = new Set(splitNul(stdout));
  await tools.host.fs.remove(newIndex);
  return new Set(wanted.map((entry) => entry.path).filter((path) => !differs.has(path)));
}

// A file whose writing was cut short holds the first bytes of what it was to become.
async function isBeginning(tools: ScmTools, cwd: string, entry: Entry, size: number): Promise<boolean> {
  if (size === 0) return true;
  const script = 'git cat-file --filters --path="$1" "$2" | head -c "$3" | cmp -s - "./$1"';
  for (const blob of [entry.newBlob, entry.oldBlob]) {
    if (blob === null) continue;
    const args = ["-c", script, "sh", entry.path, blob, String(size)];
    const { code } = await tools.host.exec({ program: "sh", args, cwd, okCodes: [0, 1, 2] });
    if (code === 0) return true;
  }
  return false;
}

async function removeEmptyFolders(tools: ScmTools, root: string, entries: readonly Entry[]): Promise<void> {
  const folders = new Set<string>();
  for (const { path } of entries) for (let up = dirname(path); up !== "."; up = dirname(up)) folders.add(up);
  // The deepest first; rmdir refuses what is not empty.
  for (const folder of [...folders].sort((one, other) => other.length - one.length)) {
    await tools.host.exec({ program: "rmdir", args: ["--", join(root, folder)], okCodes: [0, 1] });
  }
}

// checkout-index would clear away whatever it meets, so that what is not ours must not be met.
async function isWayFree(tools: ScmTools, root: string, path: string): Promise<boolean> {
  const parts = path.split("/");
  for (let length = 1; length < parts.length; length += 1) {
    const kind = (await tools.host.fs.stat(join(root, ...parts.slice(0, length))))?.kind;
    if (kind === undefined) return true;
    if (kind !== "directory") return false;
  }
  return (await tools.host.fs.stat(join(root, path)))?.kind !== "directory";
}
