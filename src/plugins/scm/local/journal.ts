import { join } from "node:path";
import { z } from "zod";
import { shortHash } from "../../../core/hash.ts";
import { pollUntil } from "../../../ports/poll.ts";
import type { Checkout } from "../../../providers/git/scm/checkout.ts";
import type { ScmTools } from "../../../providers/git/scm/tools.ts";
import type { Move } from "./move-refs.ts";

// The journal describes what is being done to a checkout. It is written before the first file is touched, and is also
// git's own lock of the index (`index.lock` is a second name of the same file), so that whoever finds the lock can tell
// whose it is.
const Journal = z.object({
  number: z.number(),
  ref: z.string(),
  from: z.string(),
  to: z.string(),
  head: z.string(),
}) satisfies z.ZodType<Move>;

const LOCK_WAIT_MS = 2000;
const LOCK_PAUSE_MS = 25;

/** The files that a move uses in a checkout's git folder, and a folder next to its files. */
export function filesOf({ path, gitDir }: Checkout): {
  readonly journal: string;
  readonly lock: string;
  readonly index: string;
  readonly newIndex: string;
  /** Files on their way in (`new`) and out (`old`), by path; on the same disk as the checkout. */
  readonly staging: string;
} {
  const isOwn = gitDir === join(path, ".git");
  return {
    journal: join(gitDir, "ao-merge"),
    lock: join(gitDir, "index.lock"),
    index: join(gitDir, "index"),
    newIndex: join(gitDir, "ao-index"),
    staging: isOwn ? join(gitDir, "ao-files") : join(path, ".ao-merge"),
  };
}

/** The AO_INTENT of git programs that work on this checkout: they are awaited, never ended. */
export function markOf(checkout: Checkout): string {
  return `scm-local/${shortHash(checkout.gitDir)}`;
}

/** Takes the lock of a checkout's index and leaves the journal there; false if someone else holds it. */
export async function lockIndex(tools: ScmTools, checkout: Checkout, move: Move): Promise<boolean> {
  const { host } = tools;
  const files = filesOf(checkout);
  // In one write: a temporary file would stay in the user's repository after a crash.
  await host.fs.remove(files.journal);
  await host.fs.append(files.journal, new TextEncoder().encode(`${JSON.stringify(move)}\n`));
  const isLocked = await pollUntil(host.clock, { everyMs: LOCK_PAUSE_MS, timeoutMs: LOCK_WAIT_MS }, () =>
    makeLock(tools, files.journal, files.lock),
  );
  if (!isLocked) await host.fs.remove(files.journal);
  return isLocked;
}

// A hard link appears atomically, and never replaces another file.
async function makeLock(tools: ScmTools, journal: string, lock: string): Promise<boolean> {
  const { host } = tools;
  if ((await host.fs.stat(lock)) !== null) return false;
  const { code } = await host.exec({ program: "ln", args: [journal, lock], okCodes: [0, 1] });
  if (code === 0) return true;
  if ((await host.fs.stat(lock)) !== null) return false;
  // A file system without hard links.
  await host.fs.copy(journal, lock);
  return true;
}

/** The move that was started in a checkout and not finished, or null. An unreadable journal is moved away. */
export async function readJournal(tools: ScmTools, checkout: Checkout): Promise<Move | null> {
  const text = await tools.host.fs.readText(filesOf(checkout).journal);
  if (text === null) return null;
  try {
    return Journal.parse(JSON.parse(text));
  } catch {
    tools.host.log.warn("what is noted of an earlier merge cannot be read", { path: checkout.path });
    await unlockIndex(tools, checkout);
    return null;
  }
}

/** Releases the index: removes the lock if it is ours, the journal last. */
export async function unlockIndex(tools: ScmTools, checkout: Checkout): Promise<void> {
  const { fs } = tools.host;
  const files = filesOf(checkout);
  await fs.remove(files.newIndex);
  await fs.remove(`${files.newIndex}.lock`);
  await fs.remove(files.staging);
  const [journal, lock] = [await fs.readText(files.journal), await fs.readText(files.lock)];
  if (journal !== null && lock === journal) await fs.remove(files.lock);
  await fs.remove(files.journal);
}
