import { join } from "node:path";
import type { HostFs } from "../../../ports/host.ts";
import { pause } from "../../../ports/poll.ts";
import { splitNul } from "../git.ts";
import { OPERATIONS } from "../operations.ts";
import { readGitFile } from "../repository.ts";
import type { ScmTools } from "./tools.ts";

/** A folder in which something of the repository is checked out. */
export interface Checkout {
  readonly path: string;
  /** Its own git folder. */
  readonly gitDir: string;
  /** The full name of the ref that HEAD points to; null if it is detached. */
  readonly ref: string | null;
  /** An operation that a person has started there and not finished: "a merge", "a rebase". */
  readonly operation: string | null;
  /** The ref that the operation will move when it is finished. */
  readonly operatesOn: string | null;
}

const TRIES = 3;

/** Every checkout of the repository whose folder is there. */
export async function listCheckouts(tools: ScmTools, cwd: string): Promise<readonly Checkout[]> {
  const records = (await readList(tools, cwd)).split("\0\0").map((record) => splitNul(record));
  const found: Checkout[] = [];
  for (const fields of records) {
    const path = fieldOf(fields, "worktree");
    if (path === null || fields.includes("bare")) continue;
    const gitDir = await findGitDir(tools.host.fs, path);
    if (gitDir === null) continue;
    const state = await readOperation(tools.host.fs, gitDir);
    found.push({ path, gitDir, ref: fieldOf(fields, "branch"), ...state });
  }
  return found;
}

/** Those that a move of the ref would pull the ground from: it is checked out there, or will be when a rebase is over. */
export function holdersOf(checkouts: readonly Checkout[], ref: string): readonly Checkout[] {
  return checkouts.filter((one) => one.ref === ref || one.operatesOn === ref);
}

// Git stumbles over a worktree that is being added at this moment; a moment later it does not.
async function readList(tools: ScmTools, cwd: string): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const okCodes = tries < TRIES ? [0, 1, 128] : [0];
    const { code, stdout } = await tools.git({ cwd, args: ["worktree", "list", "--porcelain", "-z"], okCodes });
    if (code === 0) return stdout;
    await pause(tools.host.clock, 50);
  }
}

function fieldOf(fields: readonly string[], name: string): string | null {
  return fields.find((field) => field.startsWith(`${name} `))?.slice(name.length + 1) ?? null;
}

async function findGitDir(fs: HostFs, path: string): Promise<string | null> {
  const own = join(path, ".git");
  return (await fs.stat(own))?.kind === "directory" ? own : readGitFile(fs, path);
}

async function readOperation(fs: HostFs, gitDir: string): Promise<Pick<Checkout, "operation" | "operatesOn">> {
  for (const [file, operation] of OPERATIONS) {
    if ((await fs.stat(join(gitDir, file))) === null) continue;
    const head = file.startsWith("rebase") ? join(file, "head-name") : "BISECT_START";
    const name = ((await fs.readText(join(gitDir, head))) ?? "").trim();
    const operatesOn = name === "" || name.startsWith("refs/") ? name : `refs/heads/${name}`;
    return { operation, operatesOn: operatesOn === "" ? null : operatesOn };
  }
  return { operation: null, operatesOn: null };
}
