import { writesOf } from "../change/forge-writes.ts";
import type { ChangeState } from "../change/state.ts";
import { hasTrustedNames } from "../change/trust.ts";
import { type Emitted, onChange, onSession } from "../event.ts";
import { limitNetwork } from "../network-limit.ts";
import type { ReactionRule } from "../policy.ts";
import { nameReviewer, requestReviewer } from "../session/reviewer.ts";
import type { SessionState } from "../session/state.ts";
import { sessionStream } from "../stream.ts";
import { type StoredText, sizeOf } from "../text.ts";
import type { DetectedProblem } from "./detected-problem.ts";
import { markFrom, seedFor, seedOf } from "./mark.ts";
import { isPassed, type Problem, type ProblemEvent, type TakenAction } from "./problem.ts";
import type { ProblemOwner } from "./problem-owner.ts";
import { fillTemplate, namesIn, quoteName, type Reader, type Variables } from "./template.ts";
import { DEFAULT_MESSAGES, describeAgain, REVIEW_TASK } from "./texts.ts";
import { UNTRUSTED_KEY } from "./untrusted.ts";

/** One step that a rule takes about a problem. */
export interface Step {
  readonly problem: Problem;
  readonly found: DetectedProblem;
  readonly rule: ReactionRule;
  readonly attempt: number;
  /** The number of this step of its owner; used for the ids of what it creates. */
  readonly n: number;
}

/** Why the action of a rule cannot be taken now; null: it can. */
export function findObstacle(owner: ProblemOwner, problem: Problem, { action }: ReactionRule): string | null {
  const { session, change, isOver } = owner;
  switch (action) {
    case "send-to-agent":
      return whySilent(owner, problem);
    case "spawn-reviewer":
      if (change === undefined || isOver) return "there is no open pull request to review";
      return session === undefined ? "it has no session whose agent could review it" : null;
    case "rerun-ci":
      return change === undefined || checksToRerun(change, problem).length === 0 ? "no check can run again" : null;
    case "comment":
    case "label":
      return change === undefined ? "there is no pull request" : null;
    case "stop":
    case "run":
    case "notify":
    case "merge":
      return null;
  }
}

function whySilent({ session, world, projectId }: ProblemOwner, problem: Problem): string | null {
  if (session === undefined || isLeaving(session)) return "no agent works on it any more";
  if (problem.key !== MONEY && isOutOfMoney(session)) return "the budget of its session is used up";
  // `ao pass` refuses it too; the policy may have changed since.
  if (problem.key !== UNTRUSTED_KEY || !isPassed(problem)) return null;
  const limit = limitNetwork(session.agent, world.project(projectId)?.policy?.trust);
  return limit.kind === "impossible" ? `its network cannot be restricted: ${limit.reason}` : null;
}

/** The action of a rule, as events; their effects follow from the state. */
export function takeAction(owner: ProblemOwner, step: Step): readonly Emitted[] {
  const { rule } = step;
  switch (rule.action) {
    case "send-to-agent":
      return sendToAgent(owner, step);
    case "rerun-ci":
      return onPullRequest(owner, step, rerun);
    case "comment":
      return onPullRequest(owner, step, comment);
    case "label":
      return onPullRequest(owner, step, label);
    case "spawn-reviewer":
      return spawnReviewer(owner, step);
    case "stop":
      return stop(owner, step);
    case "run":
      return run(owner, step);
    case "notify":
    case "merge":
      return [];
  }
}

function sendToAgent(owner: ProblemOwner, step: Step): readonly Emitted[] {
  const { problem, attempt } = step;
  if (owner.session === undefined) return [];
  const stream = sessionStream(owner.session.id);
  const messageId = `r-${idOf(owner, step)}`;
  const reader = { mark: markFrom(seedOf(owner.session), messageId), isAgent: true };
  const texts = textsFor(owner, step, reader);
  // The last one has the id of the whole.
  const earlierIds = texts.slice(1).map((_, at) => `${messageId}-${at + 1}`);
  const ids = { messageId, ...(earlierIds.length === 0 ? {} : { earlierIds }) };
  const facts = { problem: problem.id, occurrence: problem.occurrence, attempt, ...ids, head: owner.head };
  const { from = "" } = step.found;
  const message = { type: "message.queued", kind: "message", replyTo: null, about: problem.key } as const;
  return [
    ...(problem.key === UNTRUSTED_KEY ? onSession(owner.session.id, { type: "untrusted.read", from }) : []),
    { stream: owner.stream, event: { type: "reaction.sent", ...facts, turns: owner.session.turns } },
    ...texts.map((text, at) => {
      return { stream, event: { ...message, id: earlierIds[at] ?? messageId, text, bytes: sizeOf(text) } };
    }),
  ];
}

// One message, or one for each part of what does not fit into one.
function textsFor(owner: ProblemOwner, step: Step, reader: Reader): readonly StoredText[] {
  const { found, rule, problem } = step;
  const standard = DEFAULT_MESSAGES[problem.key] ?? "{{problem}}{{again}}";
  const parts = namesIn(rule.message ?? standard).includes("comments") ? (found.parts?.(reader) ?? []) : [];
  if (parts.length < 2) return [textFor(owner, step, { standard, reader })];
  return parts.map((comments) => {
    const variables = (): Variables => ({ ...found.variables(reader), comments });
    return textFor(owner, { ...step, found: { ...found, variables } }, { standard, reader });
  });
}

interface Taken {
  readonly action: TakenAction;
  readonly detail: string;
}

interface Done extends Taken {
  readonly events: readonly Emitted[];
}

// What is done to a pull request is done on its forge too.
function onPullRequest(
  owner: ProblemOwner,
  step: Step,
  act: (change: ChangeState, step: Step, owner: ProblemOwner) => Done,
): readonly Emitted[] {
  const { change } = owner;
  if (change === undefined) return [];
  const { events, ...done } = act(change, step, owner);
  // Resolving our own comment does not matter there.
  const shown = events.filter(({ event }) => event.type !== "thread.resolved");
  return [taken(owner, step, done), ...events, ...writesOf(change, shown)];
}

function rerun(change: ChangeState, { problem }: Step): Done {
  const runs = checksToRerun(change, problem);
  const events = runs.map(
    ({ name, attempt }) => ({ type: "check.rerun-requested", name, attempt: attempt + 1, by: "ao" }) as const,
  );
  return {
    action: "rerun-ci",
    detail: runs.map(({ name }) => `\`${name}\``).join(", "),
    events: onChange(change.key, ...events),
  };
}

// The one that the problem is about, or all that are over and not green.
function checksToRerun(change: ChangeState, problem: Problem): readonly ChangeState["checks"][string][] {
  const check = /^ci-failed:(.+)$/s.exec(problem.id)?.[1];
  return Object.values(change.checks).filter(
    ({ name, state }) => !["queued", "running", "passed"].includes(state) && (check === undefined || check === name),
  );
}

// Nobody has to answer it, so its thread starts resolved.
function comment(change: ChangeState, step: Step, owner: ProblemOwner): Done {
  const id = `ao-${idOf(owner, step)}`;
  const thread = {
    id: `${id}.1`,
    commentId: `${id}.1.1`,
    path: null,
    line: null,
    text: textFor(owner, step, { standard: "{{problem}}", reader: { mark: markFrom(change.key, id), isAgent: false } }),
  };
  const review = { type: "review.given", id, author: "ao", verdict: "comment", body: null, head: change.head } as const;
  return {
    action: "comment",
    detail: "",
    events: onChange(
      change.key,
      { ...review, threads: [thread] },
      { type: "thread.resolved", threadId: thread.id, by: "ao" },
    ),
  };
}

function label(change: ChangeState, { rule }: Step): Done {
  const wanted = rule.label ?? "";
  const isNew = wanted !== "" && !change.labels.includes(wanted);
  const events = isNew ? onChange(change.key, { type: "label.added", label: wanted, by: "ao" }) : [];
  return { action: "label", detail: `\`${wanted}\``, events };
}

function stop(owner: ProblemOwner, step: Step): readonly Emitted[] {
  const { session } = owner;
  const isRunning = session !== undefined && !isLeaving(session);
  const reason = `rule for ${step.problem.key}: ${step.problem.text}`;
  return [
    taken(owner, step, { action: "stop", detail: isRunning ? session.id : "no session is running" }),
    ...(isRunning ? onSession(session.id, { type: "session.stop-requested", reason }) : []),
  ];
}

function spawnReviewer(owner: ProblemOwner, step: Step): readonly Emitted[] {
  const { change, session, world } = owner;
  const project = world.project(owner.projectId);
  if (change === undefined || session === undefined || project === undefined) return [];
  const names = nameReviewer(world, project, change);
  const [messageId, markSeed] = [`r-${idOf(owner, step)}`, seedFor(session, names.id)];
  const reader = { mark: markFrom(markSeed, messageId), isAgent: true };
  const prompt = textFor(owner, step, { standard: REVIEW_TASK, reader });
  return [
    taken(owner, step, { action: "spawn-reviewer", detail: names.id }),
    ...requestReviewer({ names, change, session, prompt, messageId, markSeed }),
  ];
}

function run(owner: ProblemOwner, step: Step): readonly Emitted[] {
  const { problem, rule } = step;
  const command = { id: idOf(owner, step), cause: problem.key, run: rule.run ?? "", text: problem.text };
  return [
    taken(owner, step, { action: "run", detail: "" }),
    { stream: owner.stream, event: { type: "command.queued", ...command } },
  ];
}

function taken(owner: ProblemOwner, { problem, attempt }: Step, done: Taken): Emitted {
  const { id, occurrence } = problem;
  const event: ProblemEvent = { type: "reaction.taken", problem: id, occurrence, attempt, head: owner.head, ...done };
  return { stream: owner.stream, event };
}

interface Wording {
  /** The text if the rule has none of its own. */
  readonly standard: string;
  readonly reader: Reader;
}

function textFor(owner: ProblemOwner, step: Step, { standard, reader }: Wording): StoredText {
  const { problem, found, rule, attempt } = step;
  const again = describeAgain(attempt, problem.last?.head === owner.head);
  // A sentence about it may hold names that a stranger chose.
  const isTrusted = found.from === undefined && hasTrustedNames(owner.change ?? owner.session ?? {});
  const sentence = quoteName("problem", problem.text, { ...reader, isTrusted });
  const shared = { problem: sentence, again, attempt: String(attempt) };
  return fillTemplate(rule.message ?? standard, { ...found.variables(reader), ...shared });
}

function idOf(owner: ProblemOwner, { n }: Step): string {
  return `${owner.stream.replaceAll(/[^\w.-]+/g, "-")}-${n}`;
}

const MONEY = "budget-exceeded";

// Dismissing it lets the agent continue.
function isOutOfMoney({ problems }: SessionState): boolean {
  return Object.values(problems).some(({ key, acknowledged }) => key === MONEY && !acknowledged);
}

function isLeaving(session: SessionState): boolean {
  return session.phase === "stopping" || session.phase === "stopped";
}
