import type { ChangeState } from "../change/state.ts";
import { type Emitted, onChange, onSession } from "../event.ts";
import { nameSession, type SessionNames } from "../name.ts";
import type { ProjectState } from "../project/state.ts";
import { defuse } from "../reaction/template.ts";
import { inheritMark } from "../reaction/untrusted.ts";
import { claimFor } from "../task/decide.ts";
import { taskKeyOf } from "../task/state.ts";
import { type StoredText, sizeOf } from "../text.ts";
import type { World } from "../world.ts";
import type { SessionEvent } from "./events.ts";
import { isPending, type SessionState } from "./state.ts";

/** The answer of a reviewer without findings; its thread then starts resolved. */
const NO_FINDINGS = /^\W*no findings\b/i;

/** Id, branch and folder of a session that reviews a pull request. */
export function nameReviewer(world: World, { sessionPrefix }: ProjectState, { number }: ChangeState): SessionNames {
  const isTaken = (id: string): boolean => world.session(id) !== undefined;
  return nameSession({ prefix: sessionPrefix, title: `review ${number}`, issue: null, branch: null, isTaken });
}

/** A new session with the agent of a pull request's own session, in a workspace on the pull request's branch. */
export function requestReviewer(request: {
  readonly names: SessionNames;
  readonly change: ChangeState;
  readonly session: SessionState;
  readonly prompt: StoredText;
  readonly messageId: string;
  readonly markSeed: string;
}): readonly Emitted[] {
  const { names, change, session, prompt, messageId, markSeed } = request;
  const { id, branch, folder } = names;
  const { projectId } = change;
  const requested = {
    type: "session.requested",
    id,
    projectId,
    taskKey: taskKeyOf(projectId, null, id),
    issue: null,
    title: `Review #${change.number}: ${change.title}`,
    role: "reviewer",
    agent: session.agent,
    runtime: session.movedFrom ?? session.runtime,
    workspace: session.workspacePlugin,
    input: session.input,
    branch,
    base: change.branch,
    folder,
    markSeed,
    ...(session.shell === undefined ? {} : { shell: session.shell }),
    reviewOf: change.key,
  } as const;
  const first = { id: messageId, kind: "task", replyTo: null, text: prompt, bytes: sizeOf(prompt) } as const;
  const { readUntrusted } = change;
  // What it reads was written after untrusted text, and may repeat it.
  const marks: readonly SessionEvent[] = readUntrusted === undefined ? [] : [inheritMark(readUntrusted, session.id)];
  return [claimFor(requested), ...onSession(id, requested, ...marks, { type: "message.queued", ...first })];
}

/** A finished reviewer: its last words become a comment on the pull request, and its session is stopped. */
export function settleReviewers(world: World): readonly Emitted[] {
  const events: Emitted[] = [];
  for (const session of world.activeSessions()) {
    if (session.reviewOf === undefined || !isDone(session)) continue;
    events.push(
      ...give(world.change(session.reviewOf), session),
      ...onSession(session.id, { type: "session.stop-requested", reason: "the review is done" }),
    );
  }
  return events;
}

// A failed turn is no review: a person is notified, and may send another message.
function isDone({ phase, turns, turn, question, messages, input, activity }: SessionState): boolean {
  if (phase !== "open" || turns === 0 || turn !== null || question !== null || activity.state === "errored")
    return false;
  return !messages.some((message) => isPending(message, input));
}

function give(change: ChangeState | undefined, { id, summary }: SessionState): readonly Emitted[] {
  const text = defuse(summary ?? "").trim();
  if (change?.phase !== "open" || text === "") return [];
  const thread = { id: `${id}.1`, commentId: `${id}.1.1`, path: null, line: null, text: { inline: text } };
  const review = { type: "review.given", id, author: id, verdict: "comment", body: null, head: change.head } as const;
  return onChange(
    change.key,
    { ...review, threads: [thread] },
    ...(NO_FINDINGS.test(text) ? [{ type: "thread.resolved", threadId: thread.id, by: id } as const] : []),
  );
}
