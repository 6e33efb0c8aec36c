import type { MergeRequest } from "../../../ports/scm.ts";
import { failure, tailOf } from "../../../providers/git/failure.ts";
import { refsOf } from "../../../providers/git/scm/names.ts";
import type { ScmTools } from "../../../providers/git/scm/tools.ts";

// The ref has moved, or is gone.
const OVERTAKEN = /but expected|unable to resolve reference/;
/** Somebody is moving the ref, or a git that was killed while it did left its lock behind. */
const LOCKED = /Unable to create '(.+\.lock)': File exists/;

/** The commits between which a base should move. */
export interface Move {
  readonly number: number;
  readonly ref: string;
  readonly from: string;
  readonly to: string;
  /** The merged head. */
  readonly head: string;
}

/** The move of a built commit. */
export function moveOf(request: MergeRequest, from: string, to: string): Move {
  return { number: request.number, ref: `refs/heads/${request.base}`, from, to, head: request.head };
}

/** Records what is about to be merged, so that it can later be determined whether it was. */
export async function noteMove(tools: ScmTools, cwd: string, move: Move): Promise<void> {
  const refs = refsOf(move.number);
  const lines = [`update ${refs.built} ${move.to}`, `update ${refs.from} ${move.from}`];
  await tools.git({ cwd, args: ["update-ref", "--stdin"], stdin: `${lines.join("\n")}\n` });
}

/** What keeps a base where it is: others moved it, or hold the lock of this path. */
export type Stale = { readonly kind: "stale"; readonly lock: string | null };

/** Moves the base and keeps the head, atomically; null if it did. */
export async function moveRefs(tools: ScmTools, cwd: string, move: Move): Promise<Stale | null> {
  const lines = [
    "start",
    `update ${move.ref} ${move.to} ${move.from}`,
    `update ${refsOf(move.number).merged} ${move.head}`,
    "prepare",
    "commit",
  ];
  const reason = `ao: merge #${move.number}`;
  const args = ["update-ref", "-m", reason, "--stdin"];
  const { code, stderr } = await tools.git({ cwd, args, stdin: `${lines.join("\n")}\n`, okCodes: [0, 1, 128] });
  if (code === 0) return null;
  const lock = LOCKED.exec(stderr)?.[1] ?? null;
  if (lock === null && !OVERTAKEN.test(stderr)) {
    const message = `${move.ref} could not be moved in ${cwd}: ${tailOf(stderr, 2, 500)}`;
    throw failure(stderr.includes("No space left") ? "disk-full" : "git-failed", "unavailable", { message });
  }
  return { kind: "stale", lock };
}
