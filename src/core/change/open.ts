import { type Emitted, onChange, onProject, onSession } from "../event.ts";
import { accept, type CommandOf, type Decision, reject } from "../input.ts";
import { describeFailure, type Intent, type IntentOutcome, type IntentSpec, intentId, type Wanted } from "../intent.ts";
import type { SessionState } from "../session/state.ts";
import { findParent } from "../stack/find-parent.ts";
import type { Landed, Parent } from "../stack/parent.ts";
import { describeParent } from "../stack/settle.ts";
import { sessionStream } from "../stream.ts";
import { isPaused, type World } from "../world.ts";
import { changesNumbered, freeKey } from "./key.ts";
import type { ChangeState } from "./state.ts";

export type OpenSpec = Extract<IntentSpec, { readonly kind: "open-change" }>;

/** A pull request that could not be opened is retried after this time, then after twice that, up to the maximum. */
const RETRY_MS = 5000;
const MAX_RETRY_MS = 10 * 60_000;

/** Requests a pull request; the forge opens it. */
export function decideOpen(world: World, session: SessionState, command: CommandOf<"change.open">): Decision {
  const project = world.project(session.projectId);
  const known = openChangeOn(world, session);
  if (known !== null) return accept([], { key: known.key });
  if (command.facts.ahead === 0) {
    return reject(
      "conflict",
      `Branch ${session.branch} has no commit that ${session.stackedOn?.branch ?? project?.defaultBranch ?? "the base"} lacks.`,
      `Ask the agent to commit; \`ao diff ${session.id}\` shows what is not committed.`,
    );
  }
  const { title, body, by } = command;
  const { head, ahead, baseHead, isStacked } = command.facts;
  return accept([
    ...onSession(session.id, { type: "branch.seen", turn: session.turns, head, ahead }),
    ...(isStacked === true ? [] : onProject(session.projectId, { type: "project.base-moved", head: baseHead })),
    ...onSession(session.id, { type: "change.open-requested", title: title ?? session.title, body, by }),
  ]);
}

/** The open pull request of a session's branch, or null. */
export function openChangeOn(world: World, session: SessionState): ChangeState | null {
  for (const change of world.changesOn(session.projectId, session.branch)) if (change.phase === "open") return change;
  return null;
}

/** The pull request that a session wants opened: what someone requested, or what its last turn committed. */
export function openingWanted(world: World, session: SessionState, now: number): Wanted {
  const { opening, branchSeen, projectId } = session;
  const project = world.project(projectId);
  const request = opening?.request ?? null;
  if (branchSeen === null || project === undefined || project.removed || openChangeOn(world, session) !== null) {
    return NOTHING;
  }
  if (request === null && !opensByItself(world, session)) return NOTHING;
  const isSameHead = opening?.head === branchSeen.head;
  if (request === null && isSameHead && opening.notBefore > now) return { intents: [], wakeAt: opening.notBefore };
  const { issue, title, summary } = session;
  const own = { title, body: summary === null ? null : { inline: summary }, by: "ao" };
  const spec: OpenSpec = {
    kind: "open-change",
    sessionId: session.id,
    head: branchSeen.head,
    base: session.stackedOn?.branch ?? project.defaultBranch,
    issue,
    ...(request ?? own),
  };
  return { intents: [toIntent(session, spec, request === null ? "turn" : "asked")], wakeAt: null };
}

const NOTHING: Wanted = { intents: [], wakeAt: null };

// One lane per project: a forge that counts locally assigns one number after another.
function toIntent(session: SessionState, spec: OpenSpec, cause: "turn" | "asked"): Intent {
  const stream = sessionStream(session.id);
  const attempt = (session.opening?.count ?? 0) + 1;
  const on = session.stackedOn === undefined ? "" : `.on.${spec.base}`;
  const id = intentId(stream, spec.kind, `${cause}.${spec.head}${on}`, attempt);
  return { id, stream, lane: `open:${session.projectId}`, spec };
}

function opensByItself(world: World, session: SessionState): boolean {
  const policy = world.project(session.projectId)?.policy ?? null;
  const { branchSeen: seen } = session;
  if (policy?.openPullRequest !== "auto" || session.role !== "worker" || session.phase !== "open") return false;
  // A new pull request is a push, too: `ao pr open` is a person's way to allow it.
  const isHeld = session.readUntrusted !== undefined && policy.trust?.push === false && policy.scm.plugin !== "local";
  if (isHeld) return false;
  if (seen === null || seen.ahead === 0 || seen.turn === 0 || seen.turn !== session.turns) return false;
  if (session.turn !== null || session.question !== null || isPaused(world, session.projectId)) return false;
  const earlier = [
    ...world.changesOn(session.projectId, session.branch),
    ...world.archive.changesOn(session.projectId, session.branch),
  ];
  return earlier.every(({ head }) => head !== seen.head);
}

/** The outcome of opening a pull request. */
export function decideOpened(
  world: World,
  { spec, outcome }: { readonly spec: OpenSpec; readonly outcome: IntentOutcome },
  now: number,
): readonly Emitted[] {
  const session = world.session(spec.sessionId);
  if (session === undefined) return [];
  if (outcome.kind !== "change-opened") {
    const failures = session.opening?.head === spec.head ? session.opening.failures : 0;
    const notBefore = now + Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** failures);
    const reason = describeFailure(outcome);
    return onSession(session.id, { type: "change.open-failed", head: spec.head, reason, notBefore });
  }
  const { projectId, branch } = session;
  const { number, url, isRemote, isDraft } = outcome;
  const isThere = isRemote === true;
  const known = changesNumbered(world, projectId, number).find(({ forge }) => (forge !== undefined) === isThere);
  if (known !== undefined)
    return known.phase === "closed" ? onChange(known.key, { type: "change.reopened", by: spec.by }) : [];
  const { kind: _, ...facts } = spec;
  const key = freeKey(world, projectId, number);
  return onChange(key, {
    type: "change.opened",
    projectId,
    number,
    ...(key === `${projectId}/${number}` ? {} : { key }),
    branch,
    ...facts,
    ...stackOf(world, session, { number, base: spec.base, isRemote: isThere }),
    ...(url === null ? {} : { url }),
    ...(isRemote === undefined ? {} : { isRemote }),
    ...(isDraft === undefined ? {} : { isDraft }),
  });
}

interface Opened {
  readonly number: number;
  readonly base: string;
  readonly isRemote: boolean;
}

// What it is stacked on may have been merged while it was being opened.
function stackOf(
  world: World,
  { projectId, stackedOn, landed }: SessionState,
  { number, base, isRemote }: Opened,
): { readonly base: string; readonly stackedOn?: Parent; readonly landed?: Landed } {
  const defaultBranch = world.project(projectId)?.defaultBranch ?? base;
  const on = stackedOn ?? landed;
  const isStacked = on !== undefined && base === on.branch && (isRemote || stackedOn !== undefined);
  if (!isStacked)
    return { base: base === on?.branch ? defaultBranch : base, ...(landed === undefined ? {} : { landed }) };
  const child = { number, isRemote, base: defaultBranch };
  return { base, stackedOn: describeParent(findParent(world, projectId, on), on, child) };
}

/** The highest pull request number of the project in the log; 0: none. */
export function lastNumber(world: World, projectId: string): number {
  let last = world.archive.lastNumber(projectId);
  for (const { number } of world.changesIn(projectId)) last = Math.max(last, number);
  return last;
}
