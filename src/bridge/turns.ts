import type { LinesMessage } from "../core/lines-protocol.ts";
import { withBrief } from "../core/prompt/brief.ts";
import type { Driver, Recall, Report, TurnEnd } from "./driver.ts";
import type { Memory } from "./memory.ts";
import type { Printer } from "./print.ts";
import { createVendorPause, OUTAGE_MINUTES, type VendorPause } from "./vendor-pause.ts";

/** Tracks which message the vendor has, which it gets next, and when a turn is over. */
export interface Turns {
  /** Queues a task, message or resume, in order of arrival. */
  take(message: LinesMessage): void;
  /** From now on the driver accepts prompts. */
  start(driver: Driver): void;
  /** Sends what can be sent now. */
  proceed(): void;
  /** Ends the turn early; what comes after belongs to the next one. */
  interrupt(): void;
  readonly report: Pick<Report, "accepted" | "ended" | "working">;
}

export interface TurnsOptions {
  readonly memory: Memory;
  readonly printer: Printer;
  /** For the first prompt of each conversation, if the driver has no better place for it. */
  readonly brief: string | null;
  /** This is not the first process, so the vendor may know more than this one remembers. */
  readonly isResumed: boolean;
  /** Something else must come first: a question is unanswered. */
  isBlocked(): boolean;
  onEnd(): void;
  fail(error: unknown): void;
}

const LOOK = "Check what is already done (git status, git log), then continue.";
const GO_ON = `Your program was restarted in the middle of this turn. ${LOOK}`;
const LIMIT_OVER = `Your vendor's rate limit cut this turn off; it should be over now. ${LOOK}`;
const OUTAGE_OVER = `The model service failed in the middle of this turn; it may work again now. ${LOOK}`;
/** The agent was told why already; many tries in a night would only fill its conversation. */
const AGAIN = "Continue.";
const GO_ON_COUNT = "bridge.go-on";
/** The conversation that already got the brief. */
const BRIEFED = "bridge.briefed";

/** The turn is not over: it continues after a pause. */
type PassingEnd = Extract<TurnEnd, { readonly kind: "limited" | "unavailable" }>;

/** A prompt on its way to the vendor. */
interface Given {
  readonly promptId: string;
  /** Null for "go on". */
  readonly messageId: string | null;
  /** No turn was running when it was sent. */
  readonly opens: boolean;
  readonly isBrief: boolean;
}

/** Everything that changes during a conversation. */
interface Flow extends TurnsOptions {
  readonly queue: LinesMessage[];
  readonly pause: VendorPause;
  /** Messages of the running turn; null between turns. */
  turn: readonly string[] | null;
  /** Not confirmed yet. */
  given: Given | null;
  /** Null until it accepts prompts. */
  driver: Driver | null;
  /** The queue is being processed, which may read the vendor's records. */
  isBusy: boolean;
  isInterrupted: boolean;
  /** The interrupt is for a message that was not sent yet. */
  isInterruptDue: boolean;
  /** What to tell the agent after the pause; null: it was told in this turn. */
  afterPause: string | null;
}

/** Manages the turns of a conversation. Sends nothing to the vendor until it has confirmed what came before. */
export function createTurns(options: TurnsOptions): Turns {
  const flow: Flow = {
    ...options,
    ...{ queue: [], turn: null, given: null, driver: null },
    ...{ isBusy: false, isInterrupted: false, isInterruptDue: false, afterPause: null },
    pause: createVendorPause(() => continueAfterPause(flow)),
  };
  return {
    take: (message) => {
      flow.queue.push(message);
      proceed(flow);
    },
    start: (opened) => {
      flow.driver = opened;
      proceed(flow);
    },
    proceed: () => proceed(flow),
    interrupt: () => interrupt(flow),
    report: {
      accepted: (promptId) => confirm(flow, promptId),
      ended: (how) => end(flow, how),
      working: (note) => {
        flow.turn ??= [];
        flow.pause.end();
        flow.printer.working(note ?? null);
      },
    },
  };
}

function proceed(flow: Flow): void {
  const { driver, queue } = flow;
  if (driver === null || flow.isBusy) return;
  flow.isBusy = true;
  giveAll(flow, driver)
    .finally(() => {
      flow.isBusy = false;
    })
    .then(() => (queue.length > 0 && canGive(flow, driver) ? proceed(flow) : undefined))
    .catch(flow.fail);
}

async function giveAll(flow: Flow, to: Driver): Promise<void> {
  while (canGive(flow, to)) {
    const next = flow.queue.shift();
    if (next === undefined) return;
    await giveOne(flow, to, next);
  }
}

function canGive({ given, turn, pause, isInterrupted, isBlocked }: Flow, to: Driver): boolean {
  if (given !== null || isInterrupted || isBlocked()) return false;
  return turn === null || pause.isPausing() || to.capabilities.midTurn;
}

// A message is new, or known and unfinished, or known and finished: then its end is reported again, with the same
// words.
async function giveOne(flow: Flow, to: Driver, message: LinesMessage): Promise<void> {
  const { id, text } = message;
  const recalled = await recall(flow, to, message);
  if (recalled.kind !== "taken") return give(flow, to, { id, text, messageId: id });
  const isAlone = flow.turn === null;
  accept(flow, id);
  if (!isAlone) return;
  if (recalled.answer !== null) end(flow, { kind: "finished", summary: recalled.answer });
  else if (!to.capabilities.continues) give(flow, to, goOn(flow, GO_ON));
}

async function recall(flow: Flow, from: Driver, { id, kind, attempt }: LinesMessage): Promise<Recall> {
  const known = flow.memory.find(id);
  if (known !== null && known.summary !== null) return { kind: "taken", answer: known.summary };
  const isNew = known === null && !flow.isResumed && attempt === 1 && kind !== "resume";
  const recorded = isNew ? { kind: "absent" as const } : await from.recall?.(id);
  if (recorded !== undefined && recorded.kind !== "unknown") return recorded;
  return known === null ? { kind: "absent" } : { kind: "taken", answer: null };
}

interface ToGive {
  readonly id: string;
  readonly text: string;
  readonly messageId: string | null;
}

function give(flow: Flow, to: Driver, { id, text, messageId }: ToGive): void {
  const { memory, turn, pause } = flow;
  const brief = to.capabilities.brief || isBriefed(memory) ? null : flow.brief;
  const opens = messageId === null || turn === null || pause.isPausing();
  flow.given = { promptId: id, messageId, opens, isBrief: brief !== null };
  pause.end();
  to.prompt({ id, text: withBrief(text, brief) });
}

function goOn({ memory, turn }: Flow, text: string): ToGive {
  const count = Number(memory.note(GO_ON_COUNT) ?? "0") + 1;
  memory.setNote(GO_ON_COUNT, String(count));
  return { id: `${turn?.at(-1) ?? "turn"}.go-on-${count}`, text, messageId: null };
}

function continueAfterPause(flow: Flow): void {
  const { driver, afterPause } = flow;
  if (driver === null || !canGive(flow, driver)) return;
  flow.afterPause = AGAIN;
  give(flow, driver, goOn(flow, afterPause ?? AGAIN));
}

function isBriefed(memory: Memory): boolean {
  const known = memory.conversation();
  return known !== null && memory.note(BRIEFED) === known;
}

function confirm(flow: Flow, promptId: string): void {
  const { memory, given } = flow;
  if (given?.promptId !== promptId) return;
  flow.given = null;
  if (given.isBrief) memory.setNote(BRIEFED, memory.conversation() ?? "");
  if (given.messageId !== null) accept(flow, given.messageId);
  else flow.turn ??= [];
  if (flow.isInterruptDue) interrupt(flow);
  proceed(flow);
}

function accept(flow: Flow, messageId: string): void {
  flow.turn = [...(flow.turn ?? []), messageId];
  if (flow.memory.find(messageId) === null) flow.memory.record([messageId], null);
  flow.printer.received(messageId);
}

// Between turns there is nothing to end, and a program interrupted anyway may apply it to its next turn.
function interrupt(flow: Flow): void {
  if (flow.pause.isPausing()) end(flow, { kind: "interrupted" });
  else if (flow.turn === null && flow.given === null) flow.isInterruptDue = flow.isBusy || flow.queue.length > 0;
  else {
    flow.isInterrupted = true;
    flow.driver?.interrupt();
  }
}

function end(flow: Flow, how: TurnEnd): void {
  flow.isInterrupted = false;
  flow.isInterruptDue = false;
  const { given, turn } = flow;
  // A prompt whose turn is over was taken, even if the vendor did not confirm it.
  if (given !== null && (turn === null || given.opens)) confirm(flow, given.promptId);
  if (how.kind === "limited" || how.kind === "unavailable") pauseFor(flow, how);
  else close(flow, how);
}

// The turn stays open, because its work is unfinished: it continues when the pause is over, or with the next message if
// that comes first.
function pauseFor(flow: Flow, how: PassingEnd): void {
  const { pause, printer } = flow;
  const isOutage = how.kind === "unavailable";
  const next = isOutage ? pause.beginOutage() : pause.begin(how.until);
  if (next === null) {
    close(flow, { kind: "failed", reason: describeLongOutage(how.reason) });
    return;
  }
  flow.turn ??= [];
  flow.afterPause ??= isOutage ? OUTAGE_OVER : LIMIT_OVER;
  flow.onEnd();
  printer.limited(next, how.reason, isOutage ? "outage" : "limit");
  proceed(flow);
}

function describeLongOutage(reason: string): string {
  return `The model service has failed for ${OUTAGE_MINUTES} minutes: ${reason}`;
}

function close(flow: Flow, how: Exclude<TurnEnd, PassingEnd>): void {
  const { memory, printer } = flow;
  flow.pause.forget();
  flow.afterPause = null;
  const summary = summaryOf(how);
  memory.record(flow.turn ?? [], summary);
  flow.turn = null;
  flow.onEnd();
  printer.done(summary);
  if (how.kind === "failed") printer.errored(how.reason);
  proceed(flow);
}

function summaryOf(end: Exclude<TurnEnd, PassingEnd>): string {
  if (end.kind === "finished") return end.summary;
  return end.kind === "interrupted" ? "interrupted" : end.reason;
}
