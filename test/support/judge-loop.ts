import { git } from "../../src/testing/git-repo.ts";
import type { DiaryEntry } from "./diary.ts";
import { isConfirmed, isDelivery, judgeRepetitions, type Receipts } from "./judge.ts";
import type { Verdict } from "./loop.ts";
import type { SeenNotice } from "./webhook.ts";

/** A task, and what an agent, a check, a person and a notifier recorded of it. */
export interface JudgedTask {
  readonly title: string;
  readonly sessionId: string;
  readonly kind: "plain" | "red" | "review" | "conflict" | "question" | "stuck";
  /** What main must hold; empty: it must not be merged. */
  readonly files: Readonly<Record<string, string>>;
  readonly diary: readonly DiaryEntry[];
  readonly receipts: Receipts;
  /** Does the file of its issue say that it is closed? */
  readonly isClosed: boolean;
}

export interface LoopRecords {
  readonly repo: string;
  readonly tasks: readonly JudgedTask[];
  readonly verdicts: readonly Verdict[];
  readonly notices: readonly SeenNotice[];
  /** Commits of which a check was killed from outside; such a check is red although the commit is fine. */
  readonly killed: ReadonlySet<string>;
  /** Maximum number of messages per problem. */
  readonly retries: number;
  /** A word in the review that must arrive. */
  readonly remark: string;
  /** What a person may have said to an agent. */
  readonly said: readonly string[];
}

/**
 * Judges a round of the loop from what agents wrote down and printed, what checks wrote down, what git holds and what the
 * notifier received. It does not query ao.
 */
export function judgeLoop(records: LoopRecords): readonly string[] {
  return [
    ...judgeMerges(records),
    ...records.tasks.flatMap((task) => judgeMessages(task, records).map((fault) => `${task.title}: ${fault}`)),
    ...judgeConflicts(records.tasks),
    ...judgeNotices(records),
  ];
}

interface Commit {
  readonly id: string;
  readonly parents: readonly string[];
  readonly subject: string;
  readonly change: string;
}

function readMain(repo: string): readonly Commit[] {
  const format = "%H%x00%P%x00%s%x00%(trailers:key=Ao-Change,valueonly,separator=%x2C)";
  const lines = git(repo, "log", "--first-parent", `--format=${format}`, "main").trimEnd().split("\n");
  return lines.map((line) => {
    const [id = "", parents = "", subject = "", change = ""] = line.split("\0");
    return { id, parents: parents === "" ? [] : parents.split(" "), subject, change };
  });
}

function judgeMerges({ repo, tasks }: LoopRecords): readonly string[] {
  const commits = readMain(repo).slice(0, -1);
  const merging = tasks.filter(isMeantToMerge);
  const counts =
    commits.length === merging.length ? [] : [`main has ${commits.length} commits for ${merging.length} tasks`];
  return [
    ...tasks.flatMap((task) => judgeResult(repo, task, commits).map((fault) => `${task.title}: ${fault}`)),
    ...counts,
    ...commits.flatMap((commit) => judgeCommit(commit, commits)),
  ];
}

function isMeantToMerge({ files }: JudgedTask): boolean {
  return Object.keys(files).length > 0;
}

function judgeResult(repo: string, task: JudgedTask, commits: readonly Commit[]): readonly string[] {
  const wanted = isMeantToMerge(task) ? 1 : 0;
  const own = commits.filter(({ subject }) => subject.startsWith(task.title));
  const faults = own.length === wanted ? [] : [`merged ${own.length} times instead of ${wanted}`];
  if (task.isClosed !== (wanted === 1)) faults.push(`its issue is ${task.isClosed ? "closed" : "still open"}`);
  for (const [file, text] of Object.entries(task.files)) {
    const found = readFile(repo, file);
    if (found !== text) faults.push(`${file} on main holds ${JSON.stringify(found)}`);
  }
  return faults;
}

function judgeCommit({ id, parents, subject, change }: Commit, all: readonly Commit[]): readonly string[] {
  const isRepeated = all.some((other) => other.id !== id && other.change === change);
  return [
    ...(parents.length === 1 ? [] : [`${subject} is no squash: ${parents.length} parents`]),
    ...(/^demo\/\d+$/.test(change) ? [] : [`${id} (${subject}) has no trailer: "${change}"`]),
    ...(isRepeated ? [`${change} was merged twice`] : []),
  ];
}

function readFile(repo: string, file: string): string | null {
  try {
    return git(repo, "show", `main:${file}`);
  } catch {
    return null;
  }
}

/** What a reaction's message says about itself. */
interface Told {
  readonly id: string;
  readonly text: string;
  readonly about: "check" | "review" | "conflict" | "other";
  /** The name of the check; empty for the others. */
  readonly check: string;
  /** The first digits of the commit; empty where the message names none. */
  readonly head: string;
  readonly attempt: number;
}

/** Reads a reaction's message. */
export function readTold({ id = "", text = "" }: DiaryEntry): Told {
  const red = /^The check `([^`]+)` of your pull request #\d+ .+? on commit ([0-9a-f]{10})\./.exec(text);
  const attempt = Number(/\(Attempt (\d+): /.exec(text)?.[1] ?? 1);
  return { id, text, about: aboutOf(text, red !== null), check: red?.[1] ?? "", head: red?.[2] ?? "", attempt };
}

function aboutOf(text: string, isCheck: boolean): Told["about"] {
  if (isCheck) return "check";
  if (/^\S+ requested changes on your pull request/.test(text)) return "review";
  return /^Your pull request #\d+ conflicts with/.test(text) ? "conflict" : "other";
}

function judgeMessages(task: JudgedTask, records: LoopRecords): readonly string[] {
  const { diary, receipts } = task;
  const deliveries = diary.filter(isDelivery);
  const faults = diary.filter(({ event }) => event === "torn").map(({ pid }) => `a torn line reached process ${pid}`);
  faults.push(...judgeRepetitions(deliveries, receipts));
  const confirmed = deliveries.filter((entry) => isConfirmed(entry, receipts));
  if (!confirmed.some(({ event }) => event === "task")) faults.push("its task was never confirmed");
  const told = firstOfEach(deliveries.filter(({ event }) => event === "message")).map(readTold);
  const sure = new Set(confirmed.map(({ id }) => id));
  faults.push(...judgeDoubles(told), ...judgeChecks(task, told, sure, records));
  const reviews = told.filter(({ about, id }) => about === "review" && sure.has(id));
  if (task.kind === "review" && reviews.length !== 1) faults.push(`${reviews.length} messages of the one review`);
  if (task.kind !== "review" && reviews.length > 0) faults.push("a message of a review that nobody wrote");
  if (reviews.some(({ text }) => !text.includes(records.remark))) faults.push("the review came without its words");
  const unheardOf = told.filter(({ about, text }) => about === "other" && !records.said.includes(text));
  faults.push(...unheardOf.map(({ text }) => `a message that nobody sent: ${text}`));
  return faults;
}

function firstOfEach(entries: readonly DiaryEntry[]): readonly DiaryEntry[] {
  return [...new Map([...entries].reverse().map((entry) => [entry.id, entry])).values()].reverse();
}

// A message names its commit and attempt, so one text is one occurrence.
function judgeDoubles(told: readonly Told[]): readonly string[] {
  const faults: string[] = [];
  const seen = new Map<string, string>();
  for (const { id, text, about, check, head, attempt } of told) {
    const occasion = about === "review" ? text : about === "other" ? id : `${about} ${check} ${head} ${attempt}`;
    const before = seen.get(occasion);
    if (before !== undefined) faults.push(`${before} and ${id} are about the same: ${text.split("\n")[0]}`);
    seen.set(occasion, id);
  }
  return faults;
}

function isOf(task: JudgedTask, repo: string, commit: string): boolean {
  return git(repo, "show", "-s", "--format=%s", commit).startsWith(task.title);
}

function judgeChecks(
  task: JudgedTask,
  told: readonly Told[],
  sure: ReadonlySet<string | undefined>,
  { repo, verdicts, retries, killed }: LoopRecords,
): readonly string[] {
  const faults: string[] = [];
  const about = told.filter((one) => one.about === "check");
  const reds = verdicts.filter(({ verdict }) => verdict === "red");
  const own = reds.filter(({ commit }) => isOf(task, repo, commit));
  for (const name of new Set([...own.map(({ check }) => check), ...about.map(({ check }) => check)])) {
    const heard = about.filter(({ id, check }) => check === name && sure.has(id));
    for (const commit of new Set(own.filter(({ check }) => check === name).map((one) => one.commit))) {
      const isTold = heard.some(({ head }) => commit.startsWith(head));
      if (!isTold && heard.length < retries) faults.push(`red on ${commit.slice(0, 10)} and nobody told its agent`);
    }
    if (heard.length > retries) faults.push(`${heard.length} messages although ${retries} are the limit`);
    if (task.kind === "stuck" && heard.length !== retries)
      faults.push(`${heard.length} messages before it was given up`);
  }
  for (const { head, text } of about) {
    const isRed = [...reds.map(({ commit }) => commit), ...killed].some((commit) => commit.startsWith(head));
    if (!isRed) faults.push(`told of a red check that was not: ${text.split("\n")[0]}`);
  }
  // One whose checks keep being killed may be given up before any of them finishes.
  const isKilled = [...killed].some((commit) => isOf(task, repo, commit));
  const isRedOnce = task.kind === "red" || (task.kind === "stuck" && !isKilled);
  if (isRedOnce && own.length === 0) faults.push("its check was never red");
  return faults;
}

// Only the second of the two meets the conflict.
function judgeConflicts(tasks: readonly JudgedTask[]): readonly string[] {
  const told = (task: JudgedTask): boolean =>
    task.diary.some(
      (entry) => isDelivery(entry) && isConfirmed(entry, task.receipts) && readTold(entry).about === "conflict",
    );
  const [pair, others] = [
    tasks.filter(({ kind }) => kind === "conflict"),
    tasks.filter(({ kind }) => kind !== "conflict"),
  ];
  const met = pair.filter(told).length;
  return [
    ...(pair.length === 2 && met !== 1 ? [`${met} of the two that conflict were told of it`] : []),
    ...others.filter(told).map(({ title }) => `${title}: told of a conflict that was not there`),
  ];
}

function judgeNotices({ repo, tasks, notices, killed }: LoopRecords): readonly string[] {
  const faults: string[] = [];
  for (const task of tasks) {
    const { title, sessionId, kind } = task;
    const own = notices.filter((notice) => notice.sessionId === sessionId && notice.priority === "urgent");
    const expected = kind === "stuck" ? "ci-failed" : kind === "question" ? "agent-needs-input" : null;
    if (expected !== null && !own.some(({ key }) => key === expected))
      faults.push(`${title}: nobody heard of ${expected}`);
    const isStrained = [...killed].some((commit) => isOf(task, repo, commit));
    const alarms = own.filter(({ key }) => key !== expected && !(isStrained && key === "ci-failed"));
    faults.push(...alarms.map((notice) => `${title}: a person was called for nothing: ${notice.key} ${notice.title}`));
  }
  return faults;
}
