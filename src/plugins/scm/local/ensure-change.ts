import type { ChangeRequest, OpenChange } from "../../../ports/scm.ts";
import { failure, tailOf } from "../../../providers/git/failure.ts";
import { isBranchName, readHead } from "../../../providers/git/scm/read-head.ts";
import type { ScmTools } from "../../../providers/git/scm/tools.ts";

const PULLS = "refs/ao/pull/";
const TAKEN = /reference already exists|but expected|File exists/;
/** How many numbers others may take at the same moment. */
const MAX_TRIES = 50;

/**
 * Numbers a pull request by the ref `refs/ao/pull/<number>`, which points to its commit. A ref beyond `after` with this
 * commit is one that a crash kept from being recorded.
 */
export async function ensureChange(tools: ScmTools, request: ChangeRequest): Promise<OpenChange> {
  const { project, branch, head, after } = request;
  if (!isBranchName(branch) || (await readHead(tools, project, branch)) === null) {
    throw failure("not-found", "not-found", { message: `There is no branch ${branch} in ${project.path}.` });
  }
  const pulls = await listPulls(tools, project.path);
  const known = pulls.find((pull) => pull.number > after && pull.head === head);
  if (known !== undefined) return { number: known.number, url: null };
  const first = Math.max(after, ...pulls.map(({ number }) => number)) + 1;
  for (let number = first; number < first + MAX_TRIES; number += 1) {
    if (await takeNumber(tools, project.path, { number, head })) return { number, url: null };
  }
  throw failure("git-failed", "conflict", { message: `No number is free for a pull request in ${project.path}.` });
}

interface Pull {
  readonly number: number;
  readonly head: string;
}

async function listPulls(tools: ScmTools, cwd: string): Promise<readonly Pull[]> {
  const { stdout } = await tools.git({ cwd, args: ["for-each-ref", "--format=%(objectname) %(refname)", PULLS] });
  return stdout.split("\n").flatMap((line): readonly Pull[] => {
    const [, head, digits] = /^([0-9a-f]+) refs\/ao\/pull\/([1-9]\d{0,8})$/.exec(line) ?? [];
    return head === undefined ? [] : [{ head, number: Number(digits) }];
  });
}

// Created only if it does not exist, so that two daemons on one repository never assign the same number.
async function takeNumber(tools: ScmTools, cwd: string, { number, head }: Pull): Promise<boolean> {
  const args = ["update-ref", "--stdin"];
  const stdin = `create ${PULLS}${number} ${head}\n`;
  const { code, stderr } = await tools.git({ cwd, args, stdin, okCodes: [0, 1, 128] });
  if (code === 0) return true;
  if (TAKEN.test(stderr)) return false;
  const message = `Pull request #${number} could not be numbered in ${cwd}: ${tailOf(stderr, 2, 500)}`;
  throw failure(stderr.includes("No space left") ? "disk-full" : "git-failed", "unavailable", { message });
}
