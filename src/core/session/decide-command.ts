import { listChoices, readAnswer } from "../answer.ts";
import { isStrangers, recordClaim, requireUnclaimed } from "../change/claim.ts";
import { onSession } from "../event.ts";
import { accept, type CommandOf, type Decision, reject } from "../input.ts";
import { nameSession } from "../name.ts";
import { limitNetwork } from "../network-limit.ts";
import type { PluginUse } from "../plugin-use.ts";
import type { ProjectState } from "../project/state.ts";
import { completeAsked } from "../question.ts";
import { refuseUntrusted } from "../reaction/refuse-untrusted.ts";
import { requireFree, requireProject } from "../require.ts";
import { requireParent } from "../stack/decide.ts";
import type { StackedOn } from "../stack/parent.ts";
import { claimFor } from "../task/decide.ts";
import { strangerOf } from "../task/issue-author.ts";
import { taskKeyOf } from "../task/state.ts";
import { isPaused, type World } from "../world.ts";
import type { SessionEvent } from "./events.ts";
import { describeShared, isSameBranch, refuseBranch } from "./own-branch.ts";
import { isOnItsWay, type Message, type SessionState } from "./state.ts";

/** A new session: claim, session and first message are one decision, so a task never has two owners. */
export function decideCreate(world: World, command: CommandOf<"session.create">): Decision {
  return requireProject(world, command.projectId, (project) =>
    requireUnclaimed(world, command, () =>
      requireParent(world, { project, command }, (on) => createIn(world, project, { command, on })),
    ),
  );
}

interface Creation {
  readonly command: CommandOf<"session.create">;
  readonly on: StackedOn | null;
}

/** Why this session must not be created; null: it may. */
function refuseCreation(project: ProjectState, { command, on }: Creation, branch: string): Decision | null {
  const refusal = refuseBranch(branch, { projectId: project.id, defaultBranch: project.defaultBranch });
  if (refusal !== null) return reject(refusal.code, refusal.message, refusal.hint);
  if (on?.branch === branch) {
    return reject("usage", `Session ${on.sessionId} has branch ${branch} itself.`, "Choose another with --branch.");
  }
  const limit = limitNetwork(command.agent, project.policy?.trust);
  if (limit.kind !== "impossible") return null;
  if (command.pullRequest !== undefined && isStrangers(project, command.pullRequest)) {
    return refuseUntrusted(`a session for #${command.pullRequest.number}`, limit);
  }
  const stranger = strangerOf(project, command);
  return stranger === null
    ? null
    : refuseUntrusted(`a session for issue ${command.issue}, which is by ${stranger}`, limit);
}

function createIn(world: World, project: ProjectState, { command, on }: Creation): Decision {
  const names = nameSession({
    prefix: project.sessionPrefix,
    title: command.title,
    issue: command.issue,
    branch: command.branch,
    isTaken: (id) => world.session(id) !== undefined,
    isShared: (branch) => isSameBranch(branch, project.defaultBranch),
  });
  const refusal = refuseCreation(project, { command, on }, names.branch);
  if (refusal !== null) return refusal;
  const taskKey = taskKeyOf(project.id, command.issue, names.id);
  const wanted = { projectId: project.id, taskKey, branch: names.branch, task: command.issue ?? command.title };
  return requireFree(world, wanted, () => {
    const { id, branch, folder } = names;
    const { issue, title, role, agent, runtime, workspace, input } = command;
    const base = on?.branch ?? command.base;
    const facts = { id, projectId: project.id, taskKey, issue, title, branch, base };
    const plugins = { role, agent, runtime, workspace, input };
    const shell = command.shell === undefined ? {} : { shell: command.shell };
    const stacked = on === null ? {} : { stackedOn: on };
    const seed = command.markSeed === undefined ? {} : { markSeed: command.markSeed };
    const requested = {
      type: "session.requested",
      ...facts,
      ...plugins,
      folder,
      ...seed,
      ...shell,
      ...stacked,
    } as const;
    const text = { text: command.prompt, bytes: command.promptBytes };
    const first = { type: "message.queued", id: command.messageId, kind: "task", replyTo: null, ...text } as const;
    const admitted = command.now ? [{ type: "session.admitted" } as const] : [];
    const { pullRequest } = command;
    const claimed = pullRequest === undefined ? [] : recordClaim(world, facts, { project, claimed: pullRequest });
    const from = strangerOf(project, command);
    const marks = from === null ? [] : [{ type: "untrusted.read", from } as const];
    return accept([claimFor(requested), ...onSession(id, requested, ...marks, first, ...admitted), ...claimed], {
      sessionId: id,
    });
  });
}

/** A message for the agent; it waits in the session until it can be delivered. */
export function decideSend(session: SessionState, command: CommandOf<"session.send">): Decision {
  if (session.phase === "stopped" || session.phase === "stopping") {
    return reject(
      "session-state",
      `Session ${session.id} is ${session.phase}, so no agent would read the message.`,
      `Bring it back with \`ao restore ${session.id}\`, then send again.`,
    );
  }
  const event: SessionEvent = {
    type: "message.queued",
    id: command.messageId,
    kind: "message",
    replyTo: null,
    text: command.text,
    bytes: command.bytes,
  };
  return accept(onSession(session.id, event), { messageId: command.messageId });
}

/** An unsent message is never sent; one on its way cannot be canceled. */
export function decideCancelMessage(session: SessionState, command: CommandOf<"session.cancel-message">): Decision {
  const { messageId: id, by } = command;
  const message = session.messages.find((candidate) => candidate.id === id);
  if (message === undefined) {
    const hint = `\`ao status ${session.id}\` lists its messages.`;
    return reject("message-unknown", `Session ${session.id} has no message ${id}.`, hint);
  }
  if (message.status === "withdrawn") return accept([], { messageId: id });
  if (message.kind !== "message") {
    const hint = message.kind === "task" ? `\`ao stop ${session.id}\` ends the session.` : "Send a message instead.";
    return reject("conflict", `Only messages can be cancelled, and ${id} is ${describeKind(message)}.`, hint);
  }
  if (message.status !== "queued") {
    const hint = `\`ao interrupt ${session.id}\` ends the turn it started; a new message can correct it.`;
    return reject("conflict", `Message ${id} was sent already, so it cannot be cancelled.`, hint);
  }
  const event: SessionEvent = { type: "message.withdrawn", id, reason: `cancelled by ${by}` };
  return accept(onSession(session.id, event), { messageId: id });
}

function describeKind({ kind }: Message): string {
  return kind === "task" ? "the task itself" : `an ${kind}`;
}

/** A person's answer to the open question. */
export function decideAnswer(session: SessionState, command: CommandOf<"session.answer">): Decision {
  const { question } = session;
  if (question === null || question.answeredBy !== null || session.phase !== "open") {
    return reject(
      "question-unknown",
      `Session ${session.id} has no open question.`,
      "`ao inbox` lists what waits for an answer.",
    );
  }
  if (command.questionId !== undefined && command.questionId !== question.id) {
    const hint = `\`ao answer ${session.id}\` shows the question that is open now.`;
    return reject("conflict", `The agent of session ${session.id} is asking something else now.`, hint);
  }
  const asked = completeAsked(question);
  const read = readAnswer(asked, command.choice);
  if (read.kind === "wrong") {
    const hint = `Answer with ${listChoices(asked)}.`;
    return reject("usage", `${sentence(read.reason)}.`, hint, { choices: question.choices });
  }
  const choice = read.answer;
  return accept(
    onSession(
      session.id,
      { type: "agent.answered", questionId: question.id, choice, messageId: command.messageId },
      {
        type: "message.queued",
        id: command.messageId,
        kind: "answer",
        replyTo: question.id,
        text: { inline: choice },
        bytes: new TextEncoder().encode(choice).length,
      },
    ),
    { messageId: command.messageId, choice },
  );
}

function sentence(reason: string): string {
  return `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}`;
}

/** Ends the running turn early; asking twice is fine. */
export function decideInterrupt(session: SessionState, command: CommandOf<"session.interrupt">): Decision {
  if (session.input === "terminal") {
    return reject(
      "unsupported",
      `The agent of session ${session.id} runs in a terminal and can only be interrupted there.`,
      `\`ao attach ${session.id}\` and press Esc or Ctrl+C; \`ao stop ${session.id}\` ends the session.`,
    );
  }
  if (session.input === "file") {
    return reject(
      "unsupported",
      `The agent of session ${session.id} runs one process per message, so its turn cannot be interrupted.`,
      `\`ao stop ${session.id}\` ends the session, and \`ao restore ${session.id}\` brings it back.`,
    );
  }
  const asked = session.messages.find((message) => message.kind === "interrupt" && isOnItsWay(message, session.input));
  if (asked !== undefined) return accept([], { messageId: asked.id });
  if (!isInTurn(session)) {
    return reject(
      "session-state",
      `Nothing to interrupt: the agent of session ${session.id} has no turn running.`,
      `\`ao status ${session.id}\` shows what it is doing.`,
    );
  }
  const event: SessionEvent = {
    type: "message.queued",
    id: command.messageId,
    kind: "interrupt",
    replyTo: null,
    text: { inline: "" },
    bytes: 0,
  };
  return accept(onSession(session.id, event), { messageId: command.messageId });
}

// A turn of an agent that never confirms starts with its message. An agent that was only started is not in a turn yet;
// it counts as working before anything came back.
function isInTurn({ phase, run, question, turn, confirms, messages, activity }: SessionState): boolean {
  if (phase !== "open" || run.state !== "alive") return false;
  if (question !== null || turn !== null) return true;
  if (!confirms && messages.some((message) => message.status === "written" && message.run === run.n)) return true;
  return run.progressed && ["working", "waiting", "limited"].includes(activity.state);
}

/** Ends a session; asking twice is fine. */
export function decideStop(session: SessionState, command: CommandOf<"session.stop">): Decision {
  const isStuck = session.phase === "stopping" && session.run.endFailures >= session.run.endTries;
  if (session.phase === "stopped" || (session.phase === "stopping" && !isStuck)) {
    return accept([], { phase: session.phase });
  }
  return accept(onSession(session.id, { type: "session.stop-requested", reason: command.reason }));
}

/** Restores a stopped or broken session, if no other session took its task meanwhile. */
export function decideRestore(world: World, session: SessionState, command: CommandOf<"session.restore">): Decision {
  const { now = false, shell } = command;
  const requested = { type: "session.restore-requested", ...(shell === undefined ? {} : { shell }) } as const;
  const admitted: readonly SessionEvent[] = now ? [{ type: "session.admitted" }] : [];
  if (session.phase === "queued" && now) return accept(onSession(session.id, ...admitted));
  if (session.phase === "stopping") {
    return reject("session-state", `Session ${session.id} is still stopping.`, "Try again in a moment.");
  }
  if (session.phase !== "stopped") {
    const whole = session.workspace.state === "ready" || session.workspace.state === "creating";
    if (whole && session.run.state !== "ended") return accept([], { nothingToDo: true });
    return accept(onSession(session.id, requested));
  }
  const { projectId, taskKey, branch, issue, title } = session;
  const wanted = { projectId, taskKey, branch, task: issue ?? title, by: session.id };
  return requireProject(world, projectId, ({ defaultBranch }) => {
    const shared = describeShared(branch, { projectId, defaultBranch });
    if (shared !== null) return reject("usage", shared, adviseAnother(session.id));
    return requireFree(world, wanted, () =>
      accept([claimFor(session), ...onSession(session.id, requested, ...admitted)]),
    );
  });
}

/** What to do instead of restoring a session whose branch no session may work on. */
export function adviseAnother(sessionId: string): string {
  return `Start another with \`ao new\`; \`git for-each-ref refs/ao/preserved/${sessionId}\` lists what this one had not committed.`;
}

/**
 * The next run uses another runtime, and the current one is ended for it; moving to the current runtime gives nothing.
 */
export function decideMove(world: World, session: SessionState, runtime: PluginUse): Decision {
  if (session.phase === "stopped" || session.phase === "stopping") {
    return reject(
      "session-state",
      `Session ${session.id} is ${session.phase}, so its agent is not running.`,
      `Bring it back with \`ao restore ${session.id}\` first.`,
    );
  }
  if (session.input !== "inbox") {
    return reject(
      "unsupported",
      `The agent of session ${session.id} cannot continue its conversation in another runtime.`,
      `\`ao attach ${session.id}\` shows what it is doing.`,
    );
  }
  if (session.runtime.plugin === runtime.plugin) return accept([]);
  // Moving back is always possible; it happens when the pause is over.
  const isBack = session.movedFrom?.plugin === runtime.plugin;
  if (!isBack && isPaused(world, session.projectId)) {
    return reject(
      "session-state",
      `Session ${session.id} is paused, so its agent cannot move to another runtime.`,
      "`ao resume` first.",
    );
  }
  return accept(onSession(session.id, { type: "session.moved", runtime }));
}
