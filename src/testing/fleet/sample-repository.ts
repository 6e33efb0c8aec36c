import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { FOLLOW_UP, SAMPLE_FILES } from "./sample-files.ts";

/** Identifies a commit of a session. */
export interface CommitName {
  readonly n: number;
  readonly commits: number;
  readonly isLarge: boolean;
}

/** The commits of a fleet. */
export interface SampleCommits {
  /** The commit of every base branch. */
  readonly base: string;
  of(name: CommitName): string;
}

/** Commits that no repository has. */
export const MADE_UP: SampleCommits = {
  base: "8c1f02a".padEnd(40, "0"),
  of: ({ n, commits }) => {
    const start = (n * 7919 + commits * 104_729 + 0x9ad04b).toString(16);
    return start.padEnd(40, "0").slice(0, 40);
  },
};

/** Sessions commit up to three times. */
const MAX_COMMITS = 3;
const SMALL_FILES = 3;
const WRITER = "Mara <mara@example.com> 1767225600 +0000";

/**
 * Creates a repository with the commits of these sessions, so that pull requests have a diff. The same sessions give
 * the same commits.
 */
export function makeSampleRepository(path: string, sessions: readonly number[]): SampleCommits {
  mkdirSync(path, { recursive: true });
  git(path, ["init", "--quiet", "--initial-branch=main"]);
  const names = sessions.flatMap((n) =>
    [true, false].flatMap((isLarge) =>
      Array.from({ length: MAX_COMMITS }, (_, index) => ({ n, isLarge, commits: index + 1 })),
    ),
  );
  const ids = git(path, ["fast-import", "--quiet"], toStream(names)).split("\n");
  git(path, ["reset", "--hard", "--quiet", "main"]);
  const known = new Map(names.map((name, index) => [describe(name), ids[index + 1] ?? ""]));
  return { base: ids[0] ?? "", of: (name) => known.get(describe(name)) ?? MADE_UP.of(name) };
}

function describe({ n, commits, isLarge }: CommitName): string {
  return `${n} ${commits} ${isLarge}`;
}

/** The input of `git fast-import`, which prints the id of each commit. */
function toStream(names: readonly CommitName[]): string {
  const before = SAMPLE_FILES.flatMap(({ path, before: text }) => (text === null ? [] : [put(path, text)]));
  const lines = [commit({ ref: "main", mark: 1, message: "Begin", parent: null, files: before })];
  for (const [index, name] of names.entries()) {
    const isFirst = name.commits === 1;
    const files = isFirst ? filesOf(name.isLarge) : [put(FOLLOW_UP.path, textAfter(name.commits))];
    const ref = `sample/${name.n}${name.isLarge ? "-large" : ""}`;
    const mark = index + 2;
    lines.push(commit({ ref, mark, message: `Change ${describe(name)}`, parent: isFirst ? 1 : mark - 1, files }));
  }
  const asked = [1, ...names.map((_, index) => index + 2)].map((mark) => `get-mark :${mark}\n`);
  return `${lines.join("")}${asked.join("")}done\n`;
}

interface Commit {
  readonly ref: string;
  readonly mark: number;
  readonly message: string;
  /** A mark; null: the first commit. */
  readonly parent: number | null;
  readonly files: readonly string[];
}

function commit({ ref, mark, message, parent, files }: Commit): string {
  const from = parent === null ? "" : `from :${parent}\n`;
  const head = `commit refs/heads/${ref}\nmark :${mark}\nauthor ${WRITER}\ncommitter ${WRITER}\n`;
  return `${head}${data(message)}${from}${files.join("")}`;
}

function filesOf(isLarge: boolean): readonly string[] {
  return SAMPLE_FILES.slice(0, isLarge ? undefined : SMALL_FILES).map(({ path, after }) => put(path, after));
}

function textAfter(commits: number): string {
  const first = SAMPLE_FILES.find(({ path }) => path === FOLLOW_UP.path)?.after ?? "";
  return first + FOLLOW_UP.text.repeat(commits - 1);
}

function put(path: string, text: string): string {
  return `M 100644 inline ${path}\n${data(text)}`;
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

function git(cwd: string, args: readonly string[], input?: string): string {
  const { status, stdout, stderr } = spawnSync("git", args, {
    cwd,
    input,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`);
  return stdout;
}
