import { z } from "zod";
import type { Report, TurnEnd } from "../../driver.ts";
import { type Api, wordsOf } from "./api.ts";
import type { Approvals } from "./approvals.ts";
import type { Model } from "./handshake.ts";
import {
  type Event,
  type Failure,
  isUnknown,
  type Part,
  PermissionRequest,
  parseEvent,
  QuestionRequest,
  type Status,
  Statuses,
} from "./messages.ts";
import { promptOf, readPage } from "./past.ts";
import { describeCall, toToolResult, toToolUse } from "./tools.ts";
import { readEnd, readWait } from "./turn-end.ts";
import type { Meter } from "./usage.ts";

/** One session of the server: prompts and stops to it, its events from it. */
export interface Conversation {
  onEvent(event: unknown): void;
  /** Events may have been missed: the server is asked how things are. */
  catchUp(): void;
  prompt(promptId: string, text: string): void;
  answer(questionId: string, choice: string): void;
  interrupt(): void;
  /** Does a turn run? */
  isBusy(): boolean;
}

export interface ConversationOptions {
  readonly api: Api;
  readonly sessionId: string;
  /** Null: the program's own choice. */
  readonly model: Model | null;
  readonly report: Report;
  readonly approvals: Approvals;
  readonly meter: Meter;
  /** What is added to the system prompt; the server wants it with every prompt. */
  readonly system: string | null;
  /** The server does not answer any more. */
  onLost(error: unknown): void;
}

interface Turn {
  /** Null: a person began it at the program's own screen. */
  readonly promptId: string | null;
  isAccepted: boolean;
  isRunning: boolean;
  isInterrupted: boolean;
  /** Between two tries of a request. */
  isWaiting: boolean;
  lastWords: string;
  failure: Failure | null;
}

/** A prompt is in the records in well under a second. */
const ACCEPT_MS = 60_000;
/** Messages among which a prompt is that was just given. */
const RECENT = 20;

/** Makes the conversation. Events are taken one after the other, also where the server is asked in between. */
export function createConversation(options: ConversationOptions): Conversation {
  const { api, sessionId, report, approvals, meter } = options;
  /** The session and those of its sub-agents. */
  const family = new Set([sessionId]);
  const shown = new Set<string>();
  let turn: Turn | null = null;
  let lane = Promise.resolve();

  const enqueue = (work: () => Promise<void> | void): void => {
    lane = lane.then(work).catch(options.onLost);
  };

  const take = async (event: Event): Promise<void> => {
    const { properties } = event;
    if (event.type === "session.created" && family.has(event.properties.info.parentID ?? "")) {
      family.add(properties.sessionID);
    }
    if (!family.has(properties.sessionID)) return;
    const isOwn = properties.sessionID === sessionId;
    switch (event.type) {
      case "session.status":
        return onStatus(event.properties.status, isOwn);
      case "session.error":
        if (isOwn && turn?.isAccepted) turn.failure ??= event.properties.error ?? null;
        break;
      case "session.compacted":
        report.noted("shortened the conversation");
        break;
      case "message.part.updated":
        return onPart(event.properties.part, isOwn);
      case "permission.asked":
        approvals.ask(event.properties);
        break;
      case "question.asked":
        approvals.askOwn(event.properties);
        break;
      case "permission.replied":
      case "question.replied":
      case "question.rejected":
        approvals.forget(event.properties.requestID);
        break;
    }
  };

  const onStatus = async (status: Status, isOwn: boolean): Promise<void> => {
    if (status.type === "idle") return isOwn ? endIfIdle() : undefined;
    const running = isOwn ? run() : turn;
    if (running === null) return;
    if (status.type === "retry") {
      const { isLimit, until, note } = readWait(status);
      running.isWaiting = true;
      if (isLimit) report.limited(until, note);
      else report.working(note);
    } else if (running.isWaiting) {
      running.isWaiting = false;
      report.working();
    }
  };

  // A turn that nobody gave here was begun by a person at the program's own screen.
  const run = (): Turn => {
    const running = turn ?? { ...newTurn(null), isAccepted: true };
    if (turn === null) report.working();
    turn = running;
    if (running.isInterrupted && !running.isRunning) abort();
    running.isRunning = true;
    return running;
  };

  const onPart = async (part: Part, isOwn: boolean): Promise<void> => {
    if (promptOf(part) !== null) accept(promptOf(part));
    if (turn === null) return;
    if (part.type === "text" && part.time?.end != null && isOwn) say(turn, part);
    if (part.type === "tool") show(part);
    if (part.type === "step-finish") await meter.read(sessionId);
  };

  const accept = (promptId: string | null): void => {
    if (turn === null || turn.isAccepted || turn.promptId === null || turn.promptId !== promptId) return;
    turn.isAccepted = true;
    report.accepted(turn.promptId);
  };

  const say = (to: Turn, { id, text }: Part): void => {
    if (shown.has(id) || text === "") return;
    shown.add(id);
    to.lastWords = text;
    report.said(text);
  };

  const show = (part: Part): void => {
    approvals.learn(part);
    if (part.state?.status === "pending") return;
    if (!shown.has(part.id)) {
      shown.add(part.id);
      report.tool(toToolUse(part));
      report.working(describeCall(part).split("\n")[0]);
    }
    const result = toToolResult(part);
    if (result !== null) report.toolResult(part.id, result);
  };

  // The program is idle, or says so a moment before it is: its records tell whether the turn is over.
  const endIfIdle = async (): Promise<void> => {
    const ending = turn;
    if (ending === null || !ending.isAccepted || (await isAtWork())) return;
    const last = (await readPage(api, sessionId, { limit: 1, before: null })).list.at(-1);
    const isInterrupted = ending.isInterrupted && ending.isRunning;
    const how = readEnd(last?.info ?? null, { ...ending, isInterrupted }, new Date());
    if (how === null) return;
    await meter.read(sessionId);
    end(how);
  };

  const isAtWork = async (): Promise<boolean> => {
    const statuses = Statuses.parse((await api.get("/session/status")).data);
    return (statuses[sessionId]?.type ?? "idle") !== "idle";
  };

  const end = (how: TurnEnd): void => {
    turn = null;
    shown.clear();
    approvals.clear();
    report.ended(how);
  };

  const abort = (): void => {
    // What comes of it is told by the end of the turn.
    api.post(`/session/${sessionId}/abort`).catch(() => undefined);
  };

  const inspect = async (): Promise<void> => {
    if (await isAtWork()) run();
    const { list } = await readPage(api, sessionId, { limit: RECENT, before: null });
    for (const part of list.flatMap(({ parts }) => parts)) accept(promptOf(part));
    // It fails to tell about some of its own questions.
    const asked = z.array(PermissionRequest).safeParse((await api.get("/permission")).data).data ?? [];
    for (const request of asked) if (family.has(request.sessionID)) approvals.ask(request);
    const own = z.array(QuestionRequest).safeParse((await api.get("/question")).data).data ?? [];
    for (const request of own) if (family.has(request.sessionID)) approvals.askOwn(request);
    await endIfIdle();
  };

  // Whatever went wrong with it, the next message must not wait forever.
  const expect = (given: Turn): void => {
    const check = async (): Promise<void> => {
      if (turn !== given || given.isAccepted) return;
      await inspect();
      if (turn !== given || given.isAccepted) return;
      end({ kind: "failed", reason: "OpenCode did not take the message, and gave no reason." });
    };
    setTimeout(() => enqueue(check), ACCEPT_MS).unref();
  };

  return {
    onEvent: (value) => {
      const event = parseEvent(value);
      if (event === null) return;
      if (!isUnknown(event)) enqueue(() => take(event));
      else if (family.has(event.sessionID)) report.unknown({ kind: event.kind, body: event.body });
    },
    catchUp: () => enqueue(inspect),
    prompt: (id, text) => {
      const given = newTurn(id);
      turn = given;
      const parts = [{ type: "text", text, metadata: { ao: { prompt: id } } }];
      const { model: named, system } = options;
      const body = { parts, ...(named === null ? {} : { model: named }), ...(system === null ? {} : { system }) };
      api.post(`/session/${sessionId}/prompt_async`, body).then((answer) => {
        if (answer.status < 300) return expect(given);
        const reason = `OpenCode did not take the message: ${wordsOf(answer)}`;
        return enqueue(() => (turn === given ? end({ kind: "failed", reason }) : undefined));
      }, options.onLost);
    },
    answer: approvals.answer,
    interrupt: () => {
      if (turn === null) return;
      turn.isInterrupted = true;
      if (turn.isRunning) abort();
    },
    isBusy: () => turn !== null,
  };
}

function newTurn(promptId: string | null): Turn {
  const flags = { isAccepted: false, isRunning: false, isInterrupted: false, isWaiting: false };
  return { promptId, ...flags, lastWords: "", failure: null };
}
