import { createHash } from "node:crypto";
import type { Hook } from "../fake-forge/webhooks.ts";
import { finishCheck, startJob, stepsOf } from "./checks.ts";
import { mergePull } from "./merge.ts";
import type {
  Comment,
  Conclusion,
  Issue,
  Job,
  MergeMethod,
  Protection,
  Pull,
  Repository,
  ReviewState,
  Rule,
} from "./model.ts";
import { emitPull, followBranches, openPull, takeObjects } from "./pulls.ts";
import { dequeue, mergeNext } from "./queue.ts";
import { emitIssue } from "./rest/issues.ts";
import { addReview, addThreadComment, reviewEvent } from "./reviews.ts";
import { fullName, newIssue, setState, type World } from "./world.ts";

/** What CI and people do to one repository, for tests to call. */
export interface FakeRepository {
  readonly record: Repository;
  readonly fullName: string;
  /** For clone and push. */
  readonly cloneUrl: string;
  issue(number: number): Issue;
  pull(number: number): Pull;
  openIssue(fields: {
    title: string;
    body?: string;
    labels?: readonly string[];
    assignees?: readonly string[];
    by?: string;
  }): Issue;
  closeIssue(number: number, by?: string): void;
  /** Moves an issue to another repository, where it gets a new number. */
  moveIssue(number: number, to: FakeRepository): Issue;
  openPull(fields: {
    title: string;
    head: string;
    base?: string;
    body?: string;
    draft?: boolean;
    by?: string;
    /** The fork with its branch. */
    from?: FakeRepository;
    maintainersMayEdit?: boolean;
  }): Promise<Pull>;
  /** A person closes, merges or comments on the website. */
  closePull(number: number, by?: string): Promise<void>;
  merge(number: number, options?: { method?: MergeMethod; by?: string }): Promise<string>;
  comment(number: number, body: string, by?: string): Comment;
  /** Jobs of CI on the head of a pull request. */
  readonly checks: {
    start(number: number, name: string, of?: { workflow?: string; event?: string }): Job;
    /** The same on any commit, such as one of main. */
    startOn(commit: string, name: string, of?: { workflow?: string; event?: string }): Job;
    pass(number: number, name: string): Job;
    fail(number: number, how: { name: string; log?: string; step?: string }): Job;
    /** Ends a job with any of GitHub's conclusions. */
    end(job: Job, conclusion: Conclusion, how?: { log?: string; step?: string }): Job;
    /** What happens to a job that runs again, which else stays in progress. */
    onRerun(run: (job: Job) => void): void;
  };
  review(
    number: number,
    review: {
      state: ReviewState;
      body?: string;
      by?: string;
      comments?: readonly { path: string; line: number; body: string }[];
    },
  ): Promise<void>;
  /** Adds a comment to the thread at this index. */
  reply(number: number, thread: number, reply: { body: string; by?: string }): void;
  protect(branch: string, protection: Partial<Protection>): void;
  /** A ruleset for a branch: `merge_queue` sends every merge through a queue. */
  setRules(branch: string, rules: readonly Rule[]): void;
  readonly queue: {
    /** Merges the first one in a branch's queue. */
    mergeNext(branch?: string): Promise<void>;
    /** GitHub or a person removes a pull request from it, for one of GitHub's reasons. */
    remove(number: number, reason: string): Promise<void>;
    /** A check fails on the merge that the queue tries, so that it takes the pull request out. */
    fail(number: number, how: { name: string; log: string }): Promise<void>;
  };
  addHook(url: string, options?: { secret?: string; events?: readonly string[] }): Hook;
  rename(name: string): void;
  /** Applies what was pushed; every request does so too. */
  refresh(): Promise<void>;
}

/** The scripts for one repository; people are "reviewer" unless named. */
export function createScripts(world: World, record: Repository): FakeRepository {
  const issue = (number: number): Issue => record.issues.get(number) ?? missing(number);
  const pull = (number: number): Pull => record.pulls.get(number) ?? missing(number);
  return {
    record,
    get fullName() {
      return fullName(record);
    },
    get cloneUrl() {
      return `${world.url}/${fullName(record)}.git`;
    },
    issue,
    pull,
    ...createIssueScripts(world, record, issue),
    ...createPullScripts(world, record, pull),
    checks: createCheckScripts(world, record, pull),
    ...createReviewScripts(world, record, pull),
    protect: (branch, protection) => {
      const nothing = { approvals: null, checks: [], dismissStale: false, requireConversationResolution: false };
      record.protections.set(branch, { ...nothing, ...protection });
    },
    setRules: (branch, rules) => {
      record.rulesets.set(branch, rules);
    },
    queue: {
      mergeNext: (branch = record.defaultBranch) => mergeNext(world, record, branch),
      remove: (number, reason) => dequeue(world, record, { pull: pull(number), by: world.account("reviewer"), reason }),
      fail: async (number, { name, log }) => {
        // The merge itself is not made: only its checks are asked for.
        const { head } = pull(number);
        const tried = createHash("sha1").update(`merge of ${head}`).digest("hex");
        const job = startJob(world, record, { commit: tried, name });
        createCheckScripts(world, record, pull).end(job, "failure", { log });
        const by = world.account("github-merge-queue[bot]");
        await dequeue(world, record, { pull: pull(number), by, reason: "CI_FAILURE", tried });
      },
    },
    addHook: (url, { secret, events = ["*"] } = {}) => {
      const hook = { id: world.nextId(), url, secret: secret ?? null, events };
      record.hooks.push(hook);
      return hook;
    },
    rename: (name) => {
      record.formerNames.push(record.name);
      record.name = name;
    },
    refresh: () => followBranches(world, record),
  };
}

type PullByNumber = (number: number) => Pull;
type IssueScripts = Pick<FakeRepository, "openIssue" | "closeIssue" | "moveIssue" | "comment">;
type PullScripts = Pick<FakeRepository, "openPull" | "closePull" | "merge">;

function createIssueScripts(world: World, record: Repository, issue: (number: number) => Issue): IssueScripts {
  return {
    openIssue: ({ by = "reviewer", ...fields }) => {
      const made = newIssue(world, record, { ...fields, author: world.account(by) });
      record.issues.set(made.number, made);
      emitIssue(world, record, { action: "opened", issue: made, sender: made.author });
      return made;
    },
    closeIssue: (number, by = "reviewer") => {
      setState(world, issue(number), { state: "closed" });
      emitIssue(world, record, { action: "closed", issue: issue(number), sender: world.account(by) });
    },
    moveIssue: (number, to) => {
      const { author, title, body } = issue(number);
      const made = newIssue(world, to.record, { author, title, body });
      to.record.issues.set(made.number, made);
      record.issues.delete(number);
      record.moved.set(number, { to: to.record, number: made.number });
      return made;
    },
    comment: (number, body, by = "reviewer") => {
      const now = world.now();
      const made = { id: world.nextId(), author: world.account(by), body, createdAt: now, updatedAt: now };
      issue(number).comments.push(made);
      issue(number).updatedAt = now;
      return made;
    },
  };
}

function createPullScripts(world: World, record: Repository, pull: PullByNumber): PullScripts {
  return {
    openPull: async ({ by = "reviewer", base = record.defaultBranch, from, ...fields }) => {
      const headRepository = from?.record ?? record;
      const made = openPull(world, record, { ...fields, base, author: world.account(by), headRepository });
      await takeObjects(record, made, made.head);
      await emitPull(world, record, { action: "opened", pull: made, sender: made.author });
      return made;
    },
    closePull: async (number, by = "reviewer") => {
      setState(world, pull(number), { state: "closed" });
      await emitPull(world, record, { action: "closed", pull: pull(number), sender: world.account(by) });
    },
    merge: async (number, { method = "merge", by = "reviewer" } = {}) => {
      await followBranches(world, record);
      const answer = await mergePull(world, record, { pull: pull(number), method, by: world.account(by) });
      if ("status" in answer) throw new Error(answer.message);
      return answer.commit;
    },
  };
}

function missing(number: number): never {
  throw new Error(`The fake GitHub has no number ${number} of this kind.`);
}

function createCheckScripts(world: World, record: Repository, pull: PullByNumber): FakeRepository["checks"] {
  const start: FakeRepository["checks"]["start"] = (number, name, of) =>
    startJob(world, record, { commit: pull(number).head, name, ...of });
  const end: FakeRepository["checks"]["end"] = (job, conclusion, { log, step } = {}) => {
    job.steps = stepsOf(step ?? job.check.name, conclusion);
    job.log = log ?? `2026-01-01T00:00:00.0000000Z ##[group]Run ${step ?? job.check.name}\n`;
    finishCheck(world, record, { check: job.check, conclusion });
    return job;
  };
  return {
    start,
    startOn: (commit, name, of) => startJob(world, record, { commit, name, ...of }),
    end,
    onRerun: (run) => {
      record.onRerun = run;
    },
    pass: (number, name) => end(start(number, name), "success"),
    fail: (number, { name, ...how }) => end(start(number, name), "failure", how),
  };
}

function createReviewScripts(
  world: World,
  record: Repository,
  pull: PullByNumber,
): Pick<FakeRepository, "review" | "reply"> {
  return {
    review: async (number, { state, body = "", by = "reviewer", comments = [] }) => {
      await followBranches(world, record);
      const review = addReview(world, pull(number), { author: world.account(by), state, body, comments });
      await reviewEvent(world, record, { pull: pull(number), review });
    },
    reply: (number, index, { body, by = "reviewer" }) => {
      const thread = pull(number).threads[index] ?? missing(index);
      addThreadComment(world, thread, { author: world.account(by), body });
    },
  };
}
