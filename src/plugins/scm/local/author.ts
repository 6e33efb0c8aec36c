import type { MergeRequest } from "../../../ports/scm.ts";
import { splitNul } from "../../../providers/git/git.ts";
import type { ScmTools } from "../../../providers/git/scm/tools.ts";

const MAX_COMMITS = 500;
const MAX_CO_AUTHORS = 20;

export interface Person {
  readonly name: string;
  readonly email: string;
}

/** Who wrote a branch, for the commits created from it. */
export interface Authorship {
  /** The author of most commits; in a tie, of the newest. */
  readonly author: Person;
  /** The author of its last commit. No identity needs to be configured on this machine. */
  readonly committer: Person;
  /** All others, as `name <email>`. */
  readonly coAuthors: readonly string[];
}

const FORMAT = "%an%n%ae%n%cn%n%ce%n%(trailers:key=Co-authored-by,valueonly,unfold)";

/** Reads who made the commits that a base lacks. */
export async function readAuthorship(
  tools: ScmTools,
  cwd: string,
  { base, head, startsAfter }: { readonly base: string; readonly head: string; readonly startsAfter?: string },
): Promise<Authorship> {
  const others = startsAfter === undefined ? [] : [`^${startsAfter}`];
  const range = ["--no-merges", `--max-count=${MAX_COMMITS}`, `${base}..${head}`, ...others];
  const log = async (args: readonly string[]): Promise<readonly string[]> => {
    const all = ["log", "-z", "--encoding=UTF-8", `--format=${FORMAT}`, ...args];
    return splitNul((await tools.git({ cwd, args: all })).stdout);
  };
  const own = await log(range);
  const last = await log(["--max-count=1", head]);
  return judgeAuthors(own.length === 0 ? last : own, last[0] ?? "");
}

/** Counts records of git log, newest first. */
export function judgeAuthors(records: readonly string[], last: string): Authorship {
  const authors = records.map((record) => personOf(record, 0));
  const counts = new Map<string, number>();
  for (const author of authors) counts.set(sign(author), (counts.get(sign(author)) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const author = authors.find((one) => counts.get(sign(one)) === most) ?? personOf(last, 0);
  const named = records.flatMap((record) => record.split("\n").slice(4)).map((line) => line.trim());
  const others = [...authors.map(sign), ...named.filter((line) => /^[^<>]*<[^<>]+>$/.test(line))];
  const coAuthors = [...new Set(others)].filter((one) => one !== sign(author)).slice(0, MAX_CO_AUTHORS);
  return { author, committer: personOf(last, 2), coAuthors };
}

/** The environment that sets author and committer for git. */
export function identityEnv(author: Person, committer: Person): Readonly<Record<string, string>> {
  return {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: committer.name,
    GIT_COMMITTER_EMAIL: committer.email,
  };
}

/** A merge whose commits get this date, in seconds; absent: that of now. */
export type DatedRequest = MergeRequest & { readonly date?: number };

/** The environment that sets the dates of a commit. Git adds the offset of this machine. */
export function dateEnv({ date }: DatedRequest): Readonly<Record<string, string>> {
  return date === undefined ? {} : { GIT_AUTHOR_DATE: String(date), GIT_COMMITTER_DATE: String(date) };
}

function personOf(record: string, at: number): Person {
  const lines = record.split("\n");
  const email = lines[at + 1]?.trim() || "unknown@localhost";
  // Git rejects an empty name, which other tools have written nonetheless.
  return { name: lines[at]?.trim() || email, email };
}

function sign({ name, email }: Person): string {
  return `${name} <${email}>`;
}
