import { randomUUID } from "node:crypto";
import { openChangeOn } from "../../core/change/open.ts";
import type { ChangeState } from "../../core/change/state.ts";
import { AoError } from "../../core/errors.ts";
import type { Command } from "../../core/input.ts";
import type { BranchReading } from "../../core/intent.ts";
import { blockersOf, isTemporary } from "../../core/merge/blockers.ts";
import type { ProjectState } from "../../core/project/state.ts";
import { defuse, storeWords } from "../../core/reaction/template.ts";
import type { SessionState } from "../../core/session/state.ts";
import { ownStart } from "../../core/stack/base.ts";
import { type StreamId, splitStream } from "../../core/stream.ts";
import type { StoredText } from "../../core/text.ts";
import { isPaused } from "../../core/world.ts";
import { compareBranch } from "../../engine/compare-branch.ts";
import type { ReviewBody } from "../../protocol/bodies/pull-request.ts";
import type { CheckLogView } from "../../protocol/views/pull-request.ts";
import type { CallContext } from "../../server/call-context.ts";
import type { PullRequestActions } from "../../server/pull-request-actions.ts";
import { adoptConfigs } from "../adopt-configs.ts";
import { checkFolderOf } from "../check-folder.ts";
import { findProject } from "../find-project.ts";
import type { Kernel } from "../kernel.ts";
import { createUserName } from "../user-name.ts";
import { waitUntil } from "../wait-until.ts";
import { checkComments } from "./check-comments.ts";
import { scmOf } from "./scm-of.ts";
import { readText, storeText } from "./store-text.ts";

/** A shorter prefix could match several commits. */
const MIN_COMMIT = 7;
const OPEN_LIMIT_MS = 60_000;
const MERGE_LIMIT_MS = 10 * 60_000;
/** The first hold may be for a lock that is gone a moment later. */
const HOLDS_BEFORE_ANSWER = 2;

/** What people and agents can do with pull requests. */
export function createPullRequestActions(kernel: Kernel): PullRequestActions {
  const submit = async (input: Command, context: CallContext): Promise<Readonly<Record<string, unknown>>> =>
    kernel.engine.submit({ input, key: context.key });
  const userName = createUserName(kernel.host);
  const me = (projectId: string): Promise<string> =>
    userName(kernel.engine.loop.world.view.project(projectId)?.path ?? kernel.paths.home);
  const meFor = (key: string): Promise<string> => me(projectOfKey(key));
  return {
    textOf: (text) => readText(kernel.store, text.shown ?? text),
    projectAt: (named, cwd) => projectAt(kernel, named, cwd),
    open: async (sessionId, { title, body, byAgent }, context) => {
      const facts = await readFacts(kernel, sessionId);
      const by = byAgent ? sessionId : await me(projectOfSession(kernel, sessionId));
      const texts = { title: title === undefined ? null : defuse(title), body: await keep(kernel, body) };
      await submit({ type: "change.open", sessionId, ...texts, facts, by }, context);
      return { key: await openedOn(kernel, sessionId) };
    },
    review: async (key, review, context) => {
      await submit(await toReview(kernel, key, review, await meFor(key)), context);
    },
    reply: async (key, { thread: threadId, text, author, byAgent }, context) => {
      const said = { author: author ?? (await meFor(key)), text: (await keep(kernel, text)) ?? { inline: "" } };
      await submit({ type: "change.reply", key, threadId, byAgent, ...said }, context);
    },
    resolve: async (key, threadId, resolved, context) => {
      await submit({ type: "change.resolve", key, threadId, resolved, by: await meFor(key) }, context);
    },
    label: async (key, { add, remove }, context) => {
      await submit({ type: "change.label", key, add, remove, by: await meFor(key) }, context);
    },
    recheck: async (key, check, context) => {
      await submit({ type: "change.recheck", key, check, by: await meFor(key) }, context);
    },
    merge: async (key, { strategy, override, wait }, context) => {
      await submit({ type: "change.merge", key, strategy, override, by: await meFor(key) }, context);
      if (wait) await waitUntil(kernel.engine, MERGE_LIMIT_MS, () => isMergeSettled(kernel, key));
    },
    publish: async (key, context) => {
      // Its project may have got its forge a moment ago, before a watch noticed the changed file.
      await adoptConfigs(kernel);
      await submit({ type: "change.transfer", key, by: await meFor(key) }, context);
      await published(kernel, key);
    },
    cancelMerge: async (key, context) => {
      await submit({ type: "change.cancel-merge", key, by: await meFor(key) }, context);
    },
    retarget: async (key, base, context) => {
      await submit({ type: "change.retarget", key, base, by: await meFor(key) }, context);
    },
    close: async (key, reason, context) => {
      const text = reason === null ? "asked for" : defuse(reason);
      await submit({ type: "change.close", key, by: await meFor(key), reason: text }, context);
    },
    checkLog: (key, check, cursor) => checkLog(kernel, key, check, cursor),
    diff: (key, since) => diffOf(kernel, key, since),
    acknowledge: async ({ stream, id }, context) => {
      await submit(
        { type: "inbox.acknowledge", stream, problem: id, by: await me(projectOfStream(kernel, stream)) },
        context,
      );
    },
    passOn: async ({ stream, id }, context) => {
      await submit({ type: "inbox.pass", stream, problem: id, by: await me(projectOfStream(kernel, stream)) }, context);
    },
  };
}

// The forge opens it; the caller gets its number, or why there is none.
async function openedOn(kernel: Kernel, sessionId: string): Promise<string> {
  const world = kernel.engine.loop.world.view;
  const session = (): SessionState | undefined => world.session(sessionId);
  const opened = (): string | null => {
    const now = session();
    return now === undefined ? null : (openChangeOn(world, now)?.key ?? null);
  };
  await waitUntil(kernel.engine, OPEN_LIMIT_MS, () => opened() !== null || session()?.opening?.request == null);
  const key = opened();
  if (key !== null) return key;
  const { branch, opening } = session() ?? {};
  throw new AoError({
    code: "plugin-failed",
    message: `No pull request was opened for ${branch ?? sessionId}: ${opening?.reason ?? "the forge has not answered yet"}`,
    hint: `\`ao pr open ${sessionId}\` tries again.`,
  });
}

// The forge opens it; whoever asked gets its number, or why it has none.
async function published(kernel: Kernel, key: string): Promise<void> {
  const change = (): ChangeState | undefined => kernel.engine.loop.world.view.change(key);
  const isThere = (): boolean => change()?.forge !== undefined;
  await waitUntil(kernel.engine, OPEN_LIMIT_MS, () => isThere() || change()?.transfer?.isPending !== true);
  if (isThere()) return;
  throw new AoError({
    code: "plugin-failed",
    message: `#${change()?.number} was not published: ${change()?.transfer?.reason ?? "the forge has not answered yet"}`,
    hint: `\`ao pr push ${change()?.sessionId ?? key}\` tries again.`,
  });
}

async function toReview(kernel: Kernel, key: string, review: ReviewBody, reviewer: string): Promise<Command> {
  const change = kernel.engine.loop.world.view.change(key);
  if (change !== undefined && review.comments !== undefined) {
    await checkComments(scmOf(kernel, change.projectId), change, review.comments);
  }
  const comments = await Promise.all(
    (review.comments ?? []).map(async ({ path, line, text }) => ({
      path,
      line: line ?? null,
      text: (await keep(kernel, text)) ?? { inline: "" },
    })),
  );
  const head = change?.head ?? "";
  return {
    type: "change.review",
    key,
    reviewId: `rv-${randomUUID().slice(0, 8)}`,
    author: review.author === undefined ? reviewer : defuse(review.author),
    verdict: review.verdict,
    body: await keep(kernel, review.body),
    comments,
    // People write a commit's prefix.
    head: review.head === undefined ? null : head.startsWith(review.head) ? head : review.head,
  };
}

// Merged, rejected, or waiting for something that only a person can change.
function isMergeSettled(kernel: Kernel, key: string): boolean {
  const world = kernel.engine.loop.world.view;
  const change = world.change(key);
  if (change === undefined || change.phase !== "open" || change.mergeRequest === null) return true;
  if (change.mergeRequest.isPlanned === true) return true;
  if (change.mergeRequest.holds >= HOLDS_BEFORE_ANSWER || isPaused(world, change.projectId)) return true;
  // What it is stacked on may take days.
  return blockersOf(world, change)?.some((blocker) => blocker.kind === "parent" || !isTemporary(blocker)) ?? true;
}

/** The current commit of a session's branch; a clone's commits are copied to the project first. */
export async function readFacts(kernel: Kernel, sessionId: string): Promise<BranchReading> {
  const session = kernel.engine.loop.world.view.session(sessionId);
  if (session === undefined) {
    throw new AoError({ code: "session-unknown", message: `There is no session "${sessionId}".` });
  }
  const { scm, project, state } = scmOf(kernel, session.projectId);
  await publish(kernel, session, state);
  const facts = await compareBranch(scm, project, session);
  if (facts !== null) return facts;
  throw new AoError({
    code: "conflict",
    message: `There is no branch ${session.branch} in ${project.path}.`,
    hint: `\`ao status ${sessionId}\` shows more.`,
  });
}

// A clone's commits exist only there until they are copied to the project.
async function publish(kernel: Kernel, session: SessionState, project: ProjectState): Promise<void> {
  const { path, generation, state } = session.workspace;
  const workspace = kernel.plugins.get("workspace", session.workspacePlugin, project.path);
  if (workspace.publish === undefined || path === null || state !== "ready") return;
  const { id, defaultBranch } = project;
  const ref = { project: { id, path: project.path, defaultBranch }, sessionId: session.id, branch: session.branch };
  await workspace.publish({ ...ref, path, generation });
}

async function checkLog(kernel: Kernel, key: string, check: string, cursor: number | null): Promise<CheckLogView> {
  const change = kernel.engine.loop.world.view.change(key);
  const run = change?.checks[check];
  if (change === undefined || run === undefined) {
    const names = Object.keys(change?.checks ?? {}).join(", ") || "none";
    const hint = `Checks that have started: ${names}.`;
    throw new AoError({ code: "not-found", message: `Check \`${check}\` of ${key} has not started.`, hint });
  }
  const folder = checkFolderOf(kernel.paths, { changeKey: key, check, head: run.head, attempt: run.attempt });
  const part = await scmOf(kernel, change.projectId).scm.readCheckLog(folder, cursor);
  const progress = kernel.engine.loop.world.view.checkProgress(key, check);
  const facts = { check, head: run.head, attempt: run.attempt, state: run.state, phase: progress?.phase ?? null };
  if (part !== null) return { ...facts, log: part.text, cursor: part.cursor };
  // The files are gone, or do not exist yet; the end of the log is stored with the result.
  const kept = cursor === null && run.log !== null ? await readText(kernel.store, run.log) : "";
  return { ...facts, log: kept, cursor: cursor ?? 0 };
}

async function diffOf(kernel: Kernel, key: string, since: string | null): Promise<string> {
  const change = kernel.engine.loop.world.view.change(key);
  if (change === undefined) throw new AoError({ code: "not-found", message: `There is no pull request ${key}.` });
  const { scm, project } = scmOf(kernel, change.projectId);
  return scm.diff(project, change.head, since === null ? baseFor(change) : reviewedCommit(change, since));
}

// Only a reviewed commit: the caller's text never reaches git.
function reviewedCommit({ key, reviews }: ChangeState, since: string): string {
  const heads = [...new Set(reviews.map(({ head }) => head))];
  const found = since.length < MIN_COMMIT ? undefined : heads.find((head) => head.startsWith(since.toLowerCase()));
  if (found !== undefined) return found;
  const hint = `Reviewed: ${heads.map((head) => head.slice(0, MIN_COMMIT)).join(", ")}.`;
  throw new AoError({
    code: "not-found",
    message: `No review of ${key} is about the commit "${since}".`,
    ...(heads.length === 0 ? {} : { hint }),
  });
}

// After its merge the base contains the change itself; the base before it shows what was merged. The changes of a pull
// request that it is or was stacked on are not its own.
function baseFor(change: ChangeState): string {
  return ownStart(change) ?? change.merged?.baseBefore ?? change.stackedOn?.head ?? change.base;
}

async function projectAt(kernel: Kernel, named: string | undefined, cwd: string | undefined): Promise<string | null> {
  if (named !== undefined) return (await findProject(kernel, named, undefined)).id;
  // A number alone means nothing without a project; a session still does.
  return findProject(kernel, undefined, cwd).then(
    ({ id }) => id,
    () => null,
  );
}

function projectOfKey(key: string): string {
  return key.slice(0, key.lastIndexOf("/"));
}

function projectOfSession(kernel: Kernel, id: string): string {
  return kernel.engine.loop.world.view.session(id)?.projectId ?? "";
}

function projectOfStream(kernel: Kernel, stream: StreamId): string {
  const { kind, id } = splitStream(stream);
  if (kind === "project") return id;
  return kind === "session" ? projectOfSession(kernel, id) : projectOfKey(id);
}

// Foreign text never ends the block it is shown in, and long text is stored separately from the log.
async function keep(kernel: Kernel, text: string | undefined): Promise<StoredText | null> {
  if (text === undefined || defuse(text) === "") return null;
  return storeWords(text, async (words) => (await storeText(kernel.store, words)).text);
}
