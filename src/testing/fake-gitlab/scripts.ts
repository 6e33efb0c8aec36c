import type { Hook } from "../fake-forge/webhooks.ts";
import { addMergeRequest, emitMergeRequest, followBranches, mergeRequest, takeObjects } from "./merge-requests.ts";
import type { Discussion, Issue, Job, JobStatus, MergeRequest, Position, Project, ProjectSettings } from "./model.ts";
import { addJob, endJob, ensurePipeline, pipelineFor, trainPipelineFor } from "./pipelines.ts";
import { emitIssue } from "./rest/issues.ts";
import { emitNote } from "./rest/notes.ts";
import { leaveTrain } from "./rest/trains.ts";
import { approve, publishComments, requestChanges, unapprove } from "./reviews.ts";
import { addDiscussion, addIssue, addReply, fullPath, setIssueState, type World } from "./world.ts";

/** What CI and people do to one project, for tests to call. People are "reviewer" unless named. */
export interface FakeProject {
  readonly record: Project;
  readonly fullPath: string;
  /** For clone and push. */
  readonly cloneUrl: string;
  issue(iid: number): Issue;
  mergeRequest(iid: number): MergeRequest;
  openIssue(fields: {
    title: string;
    description?: string;
    labels?: readonly string[];
    assignees?: readonly string[];
    by?: string;
  }): Issue;
  closeIssue(iid: number, by?: string): void;
  block(iid: number, by: number): void;
  /** A comment on an issue. */
  comment(iid: number, body: string, by?: string): Discussion;
  openMergeRequest(fields: {
    title: string;
    description?: string;
    source: string;
    target?: string;
    by?: string;
    /** The fork with the source branch. */
    from?: FakeProject;
    allowsCollaboration?: boolean;
  }): Promise<MergeRequest>;
  closeMergeRequest(iid: number, by?: string): Promise<void>;
  merge(iid: number, options?: { squash?: boolean; by?: string }): Promise<string>;
  /** Jobs of CI on the head of a merge request. */
  readonly jobs: {
    start(iid: number, name: string, options?: { allowFailure?: boolean }): Job;
    /** The same on any commit of the default branch. */
    startOn(commit: string, name: string): Job;
    end(job: Job, status: JobStatus, how?: { trace?: string; reason?: string }): Job;
    /** What happens to a job that is retried, which else stays running. */
    onRetry(run: (job: Job) => void): void;
    pass(iid: number, name: string): Job;
    fail(iid: number, how: { name: string; trace?: string; allowFailure?: boolean }): Job;
  };
  /** The merge train. */
  readonly train: {
    /** The number of the first one on it. */
    next(): number;
    remove(iid: number, reason?: string): void;
    /** A job fails in the pipeline of the train, so that it takes the merge request off. */
    fail(iid: number, how: { name: string; trace: string }): void;
  };
  approve(iid: number, by?: string): Promise<void>;
  unapprove(iid: number, by?: string): Promise<void>;
  requestChanges(iid: number, by?: string): Promise<void>;
  /** Publishes comments together, each as a thread, with a verdict if given. */
  review(
    iid: number,
    review: {
      comments: readonly { body: string; path?: string; line?: number }[];
      requestsChanges?: boolean;
      by?: string;
    },
  ): Promise<void>;
  /** Starts a thread, on a diff line if given, or writes a plain comment. */
  discuss(
    iid: number,
    what: { body: string; path?: string; line?: number; by?: string; isSingle?: boolean },
  ): Discussion;
  reply(iid: number, discussion: Discussion, what: { body: string; by?: string }): void;
  set(settings: Partial<ProjectSettings>): void;
  addHook(url: string, options?: { secret?: string; events?: readonly string[] }): Hook;
  rename(path: string): void;
  /** Applies what was pushed; every request does so too. */
  refresh(): Promise<void>;
}

export function createScripts(world: World, record: Project): FakeProject {
  const issue = (iid: number): Issue => record.issues.get(iid) ?? missing(iid);
  const mergeRequestOf = (iid: number): MergeRequest => record.mergeRequests.get(iid) ?? missing(iid);
  return {
    record,
    get fullPath() {
      return fullPath(record);
    },
    get cloneUrl() {
      return `${world.url}/${fullPath(record)}.git`;
    },
    issue,
    mergeRequest: mergeRequestOf,
    ...createIssueScripts(world, record, issue),
    ...createMergeScripts(world, record, mergeRequestOf),
    jobs: createJobScripts(world, record, mergeRequestOf),
    train: {
      next: () => [...record.train][0] ?? missing(1),
      remove: (iid, reason) => {
        const by = world.user("reviewer");
        leaveTrain(world, record, { request: mergeRequestOf(iid), by, ...(reason === undefined ? {} : { reason }) });
      },
      fail: (iid, { name, trace }) => {
        const request = mergeRequestOf(iid);
        const by = world.user("reviewer");
        const pipeline = ensurePipeline(world, record, trainPipelineFor(request));
        const job = addJob(world, record, { name, author: by, pipeline });
        endJob(world, record, { job, status: "failed", trace });
        leaveTrain(world, record, { request, by, reason: "pipeline did not succeed" });
      },
    },
    ...createReviewScripts(world, record, mergeRequestOf),
    set: (settings) => Object.assign(record.settings, settings),
    addHook: (url, { secret, events = ["*"] } = {}) => {
      const hook = { id: world.nextId(), url, secret: secret ?? null, events };
      record.hooks.push(hook);
      return hook;
    },
    rename: (path) => {
      record.formerPaths.push(record.path);
      record.path = path;
    },
    refresh: () => followBranches(world, record),
  };
}

function missing(iid: number): never {
  throw new Error(`The fake GitLab has no number ${iid} of this kind.`);
}

type IssueScripts = Pick<FakeProject, "openIssue" | "closeIssue" | "block" | "comment">;

function createIssueScripts(world: World, record: Project, issue: (iid: number) => Issue): IssueScripts {
  return {
    openIssue: ({ by = "reviewer", ...fields }) => {
      const made = addIssue(world, record, { ...fields, author: world.user(by) });
      emitIssue(world, record, { action: "open", issue: made, by: made.author });
      return made;
    },
    closeIssue: (iid, by = "reviewer") => {
      setIssueState(world, issue(iid), { isOpen: false, by: world.user(by) });
      emitIssue(world, record, { action: "close", issue: issue(iid), by: world.user(by) });
    },
    block: (iid, by) => void issue(iid).blockedBy.push({ linkId: world.nextId(), issue: issue(by) }),
    comment: (iid, body, by = "reviewer") =>
      addDiscussion(world, issue(iid), { author: world.user(by), body, isSingle: true }),
  };
}

type ByNumber = (iid: number) => MergeRequest;
type MergeScripts = Pick<FakeProject, "openMergeRequest" | "closeMergeRequest" | "merge">;

function createMergeScripts(world: World, record: Project, requestOf: ByNumber): MergeScripts {
  return {
    openMergeRequest: async ({ source, target = record.defaultBranch, by = "reviewer", from, ...fields }) => {
      const author = world.user(by);
      const branches = { sourceBranch: source, targetBranch: target, source: from?.record ?? record };
      const made = addMergeRequest(world, record, { ...fields, author, ...branches });
      await takeObjects(record, made);
      await emitMergeRequest(world, record, { action: "open", request: made, by: author });
      return made;
    },
    closeMergeRequest: async (iid, by = "reviewer") => {
      const request = requestOf(iid);
      request.state = "closed";
      request.closedBy = world.user(by);
      request.updatedAt = world.now();
      await emitMergeRequest(world, record, { action: "close", request, by: world.user(by) });
    },
    merge: async (iid, { squash = false, by = "reviewer" } = {}) => {
      await followBranches(world, record);
      const request = requestOf(iid);
      const refusal = await mergeRequest(world, record, { request, by: world.user(by), squash });
      if (refusal !== null) throw new Error(refusal.message);
      return request.mergeCommit ?? request.squashCommit ?? request.head;
    },
  };
}

function createJobScripts(world: World, record: Project, requestOf: ByNumber): FakeProject["jobs"] {
  const author = world.user("reviewer");
  const start: FakeProject["jobs"]["start"] = (iid, name, { allowFailure = false } = {}) => {
    const request = requestOf(iid);
    // The pipelines of a fork's branch run in the fork.
    const pipeline = ensurePipeline(world, request.source, pipelineFor(request.source, request));
    return addJob(world, request.source, { pipeline, name, allowFailure, author });
  };
  const end: FakeProject["jobs"]["end"] = (job, status, { trace, reason } = {}) => {
    endJob(world, world.projects.find(({ jobs }) => jobs.includes(job)) ?? record, {
      job,
      status,
      ...(trace === undefined ? {} : { trace }),
      reason: reason ?? "script_failure",
    });
    return job;
  };
  return {
    start,
    startOn: (sha, name) => {
      const pipeline = { sha, ref: record.defaultBranch, source: "push", sourceSha: null } as const;
      return addJob(world, record, { pipeline: ensurePipeline(world, record, pipeline), name, author });
    },
    end,
    onRetry: (run) => {
      record.onRetry = run;
    },
    pass: (iid, name) => end(start(iid, name), "success"),
    fail: (iid, { name, trace, ...options }) => end(start(iid, name, options), "failed", { trace: trace ?? "" }),
  };
}

type ReviewScripts = Pick<FakeProject, "approve" | "unapprove" | "requestChanges" | "review" | "discuss" | "reply">;

function createReviewScripts(world: World, record: Project, requestOf: ByNumber): ReviewScripts {
  return {
    approve: async (iid, by = "reviewer") => {
      await followBranches(world, record);
      await approve(world, record, { request: requestOf(iid), by: world.user(by) });
    },
    unapprove: (iid, by = "reviewer") => unapprove(world, record, { request: requestOf(iid), by: world.user(by) }),
    requestChanges: async (iid, by = "reviewer") => {
      await followBranches(world, record);
      await requestChanges(world, record, { request: requestOf(iid), by: world.user(by) });
    },
    review: async (iid, { comments, requestsChanges = false, by = "reviewer" }) => {
      await followBranches(world, record);
      const request = requestOf(iid);
      const author = world.user(by);
      const remarks = comments.map((one) => ({ body: one.body, position: positionOf(request, one) }));
      publishComments(world, record, { request, by: author, remarks });
      if (requestsChanges) await requestChanges(world, record, { request, by: author });
    },
    discuss: (iid, { body, path, line, by = "reviewer", isSingle = false }) => {
      const request = requestOf(iid);
      const position = positionOf(request, { path, line });
      const made = addDiscussion(world, request, { author: world.user(by), body, position, isSingle });
      emitNote(world, record, { on: request, kind: "MergeRequest", note: made.notes[0] });
      return made;
    },
    reply: (iid, discussion, { body, by = "reviewer" }) => {
      addReply(world, requestOf(iid), { discussion, author: world.user(by), body });
    },
  };
}

function positionOf(
  { head }: MergeRequest,
  { path, line = 1 }: { readonly path?: string | undefined; readonly line?: number | undefined },
): Position | null {
  return path === undefined ? null : { path, line, head };
}
