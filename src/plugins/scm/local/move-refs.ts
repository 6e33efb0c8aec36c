import type { MergeRequest } from "../../../ports/scm.ts";
import { failure, tailOf } from "../../../providers/git/failure.ts";
import { refsOf } from "../../../providers/git/scm/names.ts";
import type { ScmTools } from "../../../providers/git/scm/tools.ts";

// The ref is elsewhere, gone, or locked by somebody who moves it.
const OVERTAKEN = /but expected|unable to resolve reference|File exists/;

/** From which commit to which a base is to move. */
export interface Move {
  readonly number: number;
  readonly ref: string;
  readonly from: string;
  readonly to: string;
  /** The head that is merged by it. */
  readonly head: string;
}

/** The move that a built commit stands for. */
export function moveOf(request: MergeRequest, from: string, to: string): Move {
  return { number: request.number, ref: `refs/heads/${request.base}`, from, to, head: request.head };
}

/** Notes what is about to be merged, so that a later look can tell whether it was. */
export async function noteMove(tools: ScmTools, cwd: string, move: Move): Promise<void> {
  const refs = refsOf(move.number);
  const lines = [`update ${refs.built} ${move.to}`, `update ${refs.from} ${move.from}`];
  await tools.git({ cwd, args: ["update-ref", "--stdin"], stdin: `${lines.join("\n")}\n` });
}

/** Moves the base and keeps the head, both or none; false when the base is not where it was. */
export async function moveRefs(tools: ScmTools, cwd: string, move: Move): Promise<boolean> {
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
  if (code !== 0 && !OVERTAKEN.test(stderr)) {
    const message = `${move.ref} could not be moved in ${cwd}: ${tailOf(stderr, 2, 500)}`;
    throw failure(stderr.includes("No space left") ? "disk-full" : "git-failed", "unavailable", { message });
  }
  return code === 0;
}
