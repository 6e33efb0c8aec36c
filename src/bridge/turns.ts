import type { LinesMessage } from "../core/lines-protocol.ts";
import { withBrief } from "../core/prompt/brief.ts";
import type { Driver, Recall, Report, TurnEnd } from "./driver.ts";
import type { Memory } from "./memory.ts";
import type { Printer } from "./print.ts";
import { createRateLimitPause } from "./rate-limit-pause.ts";

/** Which message the vendor has, which it is given next, and when a turn is over. */
export interface Turns {
  /** Takes a task, message or resume, in the order of arrival. */
  take(message: LinesMessage): void;
  /** From now on the driver takes prompts. */
  start(driver: Driver): void;
  /** Gives what can be given now. */
  proceed(): void;
  /** Ends the turn early; what comes after belongs to the next one. */
  interrupt(): void;
  readonly report: Pick<Report, "accepted" | "ended" | "working">;
}

export interface TurnsOptions {
  readonly memory: Memory;
  readonly printer: Printer;
  /** For the first prompt of each conversation, where the driver has no better place for it. */
  readonly brief: string | null;
  /** An earlier process was there before, so the vendor may know more than this one remembers. */
  readonly isResumed: boolean;
  /** Something else must come first: a question waits for its answer. */
  isBlocked(): boolean;
  onEnd(): void;
  fail(error: unknown): void;
}

const LOOK = "Look at what is done already (git status, git log), then go on.";
const GO_ON = `Your program was restarted in the middle of this turn. ${LOOK}`;
const LIMIT_OVER = `Your turn was cut off by a limit of your vendor, which should be over. ${LOOK}`;

interface Given {
  readonly promptId: string;
  readonly messageId: string | null;
  readonly opens: boolean;
  readonly isBrief: boolean;
}

/** Makes the turns of a conversation. Nothing is given to the vendor while it has not confirmed what came before. */
export function createTurns(options: TurnsOptions): Turns {
  const { memory, printer } = options;
  const queue: LinesMessage[] = [];
  /** Messages of the turn that runs; null between turns. */
  let turn: string[] | null = null;
  /** Given, and not confirmed yet; `messageId` is null for "go on"; `opens`: no turn was running. */
  let given: Given | null = null;
  let driver: Driver | null = null;
  let isBusy = false;
  /** Asked for: `isInterruptDue` while the message that it is meant for was not given yet. */
  let isInterrupted = false;
  let isInterruptDue = false;
  const pause = createRateLimitPause(() =>
    driver !== null && canGive(driver) ? give(driver, goOn(LIMIT_OVER), null) : undefined,
  );

  const accept = (messageId: string): void => {
    turn = [...(turn ?? []), messageId];
    if (memory.find(messageId) === null) memory.record([messageId], null);
    printer.received(messageId);
  };

  const isBriefed = (): boolean => {
    const known = memory.conversation();
    return known !== null && memory.note(BRIEFED) === known;
  };

  const give = (to: Driver, prompt: { readonly id: string; readonly text: string }, messageId: string | null): void => {
    const brief = to.capabilities.brief || isBriefed() ? null : options.brief;
    const opens = messageId === null || turn === null || pause.isPausing();
    given = { promptId: prompt.id, messageId, opens, isBrief: brief !== null };
    pause.end();
    to.prompt({ ...prompt, text: withBrief(prompt.text, brief) });
  };

  // A message is new, or known and not over, or known and over: then its end is told again, with the same words.
  const giveOne = async (to: Driver, message: LinesMessage): Promise<void> => {
    const { id, text } = message;
    const recalled = await recall(to, message);
    if (recalled.kind !== "taken") return give(to, { id, text }, id);
    const isAlone = turn === null;
    accept(id);
    if (!isAlone) return;
    if (recalled.answer !== null) end({ kind: "finished", summary: recalled.answer });
    else if (!to.capabilities.continues) give(to, goOn(GO_ON), null);
  };

  const recall = async (from: Driver, { id, kind, attempt }: LinesMessage): Promise<Recall> => {
    const known = memory.find(id);
    if (known !== null && known.summary !== null) return { kind: "taken", answer: known.summary };
    const isNew = known === null && !options.isResumed && attempt === 1 && kind !== "resume";
    const told = isNew ? { kind: "absent" as const } : await from.recall?.(id);
    if (told !== undefined && told.kind !== "unknown") return told;
    return known === null ? { kind: "absent" } : { kind: "taken", answer: null };
  };

  const goOn = (text: string): { readonly id: string; readonly text: string } => {
    const count = Number(memory.note(GO_ON_COUNT) ?? "0") + 1;
    memory.setNote(GO_ON_COUNT, String(count));
    return { id: `${turn?.at(-1) ?? "turn"}.go-on-${count}`, text };
  };

  const canGive = (to: Driver): boolean =>
    given === null &&
    !isInterrupted &&
    !options.isBlocked() &&
    (turn === null || pause.isPausing() || to.capabilities.midTurn);

  const giveAll = async (to: Driver): Promise<void> => {
    while (canGive(to)) {
      const next = queue.shift();
      if (next === undefined) return;
      await giveOne(to, next);
    }
  };

  const proceed = (): void => {
    if (driver === null || isBusy) return;
    isBusy = true;
    giveAll(driver)
      .finally(() => {
        isBusy = false;
      })
      .then(() => (driver !== null && queue.length > 0 && canGive(driver) ? proceed() : undefined))
      .catch(options.fail);
  };

  // Between turns there is nothing to end, and a program that is told to all the same may take it for its next turn.
  const interrupt = (): void => {
    if (pause.isPausing()) end({ kind: "interrupted" });
    else if (turn === null && given === null) isInterruptDue = isBusy || queue.length > 0;
    else {
      isInterrupted = true;
      driver?.interrupt();
    }
  };

  const end = (how: TurnEnd): void => {
    isInterrupted = false;
    isInterruptDue = false;
    // A prompt whose turn is over was taken, also when nothing said so.
    if (given !== null && (turn === null || given.opens)) confirm(given.promptId);
    if (how.kind === "limited") pauseFor(how);
    else close(how);
  };

  const close = (how: Exclude<TurnEnd, { readonly kind: "limited" }>): void => {
    pause.forget();
    const summary = summaryOf(how);
    memory.record(turn ?? [], summary);
    turn = null;
    options.onEnd();
    printer.done(summary);
    if (how.kind === "failed") printer.errored(how.reason);
    proceed();
  };

  // The turn stays open, since its work is not done: it goes on by itself, or with the next message if that comes first.
  const pauseFor = ({ until, reason }: Extract<TurnEnd, { readonly kind: "limited" }>): void => {
    turn ??= [];
    options.onEnd();
    printer.limited(until, reason);
    pause.begin(until);
    proceed();
  };

  const confirm = (promptId: string): void => {
    if (given?.promptId !== promptId) return;
    const { messageId, isBrief } = given;
    given = null;
    if (isBrief) memory.setNote(BRIEFED, memory.conversation() ?? "");
    if (messageId !== null) accept(messageId);
    else turn ??= [];
    if (isInterruptDue) interrupt();
    proceed();
  };

  return {
    take: (message) => {
      queue.push(message);
      proceed();
    },
    start: (opened) => {
      driver = opened;
      proceed();
    },
    proceed,
    interrupt,
    report: {
      accepted: confirm,
      ended: end,
      working: (note) => {
        turn ??= [];
        pause.end();
        printer.working(note ?? null);
      },
    },
  };
}

const GO_ON_COUNT = "bridge.go-on";
/** The conversation that was given the brief. */
const BRIEFED = "bridge.briefed";

function summaryOf(end: Exclude<TurnEnd, { readonly kind: "limited" }>): string {
  if (end.kind === "finished") return end.summary;
  return end.kind === "interrupted" ? "interrupted" : end.reason;
}
