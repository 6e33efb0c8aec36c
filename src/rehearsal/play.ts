import { createHash } from "node:crypto";
import type { AgentSignal } from "../core/agent-signal.ts";
import { decodeSignal, type LinesMessage } from "../core/lines-protocol.ts";
import { act, type Stage } from "./act.ts";
import type { Repository } from "./git.ts";
import type { Inbox } from "./inbox.ts";
import type { Memory, Part } from "./memory.ts";
import type { Script, Step, StepOf, When } from "./script.ts";

/** Places between two steps where a crash is interesting. */
export type Passed = (place: string) => void;

/** Everything a play needs. */
export interface Theater {
  readonly script: Script;
  readonly repository: Repository;
  readonly memory: Memory;
  readonly inbox: Inbox;
  readonly session: string;
  /** `<project>/<issue>`. */
  readonly task: string;
  readonly issue: string;
  print(text: string): void;
  signal(signal: AgentSignal): void;
  /** Ends the process, or never returns. */
  leave(how: StepOf<"crash"> | "hang"): Promise<never>;
  readonly passed: Passed;
}

const NO_SCENE = "nothing to do for this";

/** What follows a step: more steps, or the end of the turn; null if the input ended during a question. */
type Next = { readonly steps: readonly Step[]; readonly answer?: string } | { readonly summary: string } | null;

/** Plays a message to its end, or from where an earlier process stopped. */
export async function play(message: LinesMessage, theater: Theater): Promise<void> {
  const part = theater.memory.find(message.id) ?? note(message, theater);
  theater.passed("noted");
  theater.signal({ kind: "received", id: message.id });
  theater.passed("received");
  const summary = part.summary ?? (await playScene(message, part, theater));
  if (summary === null) return;
  // The summary is saved first: a turn whose end was not received is ended again, not played again.
  theater.memory.change(message.id, { summary, begun: null });
  theater.passed("finished");
  theater.signal({ kind: "done", summary });
  theater.passed("done");
}

function note(message: LinesMessage, theater: Theater): Part {
  const chosen = chooseScene(theater.script, message, { issue: theater.issue, met: theater.memory.met() });
  return theater.memory.note(message.id, chosen);
}

async function playScene(message: LinesMessage, part: Part, theater: Theater): Promise<string | null> {
  const scene = part.scene === null ? undefined : theater.script.scenes[part.scene];
  if (scene === undefined) return NO_SCENE;
  const { session, repository } = theater;
  const blanks = { id: message.id, text: message.text, attempt: message.attempt, session, branch: repository.branch };
  let rest = scene.do;
  for (let n = 0; ; n += 1) {
    const [step, ...others] = rest;
    if (step === undefined) return "";
    const next = n < part.played ? lookBack(step, n, part, theater) : await perform(step, n, blanks, theater);
    if (next === null) return null;
    if ("summary" in next) return next.summary;
    if (n >= part.played) finish(message.id, n, next.answer, theater);
    rest = [...next.steps, ...others];
  }
}

// The outcome of a finished step is decided as it was the first time.
function lookBack(step: Step, n: number, part: Part, theater: Theater): Next {
  if (step.kind === "ask") return { steps: afterAnswer(step.value, part.answers[n] ?? "") };
  if (step.kind === "maybe") return { steps: byChance(step.value, n, part, theater) };
  return { steps: [] };
}

async function perform(step: Step, n: number, blanks: Blanks, theater: Theater): Promise<Next> {
  const { id } = blanks;
  const part = theater.memory.find(id) as Part;
  switch (step.kind) {
    case "done":
      return { summary: fillIn(step.value, blanks) };
    case "maybe":
      return { steps: byChance(step.value, n, part, theater) };
    case "ask":
      return ask(step.value, `${id}-q${n}`, blanks, theater);
    case "crash":
    case "hang":
      // Marked as finished before it happens, or the next process would do the same forever.
      finish(id, n, undefined, theater);
      return theater.leave(step.kind === "hang" ? "hang" : step.value);
    default:
      try {
        await act(step, makeStage(n, part, blanks, theater));
      } catch (error) {
        return { summary: `step ${n + 1} (${step.kind}) failed: ${(error as Error).message}` };
      }
      theater.passed(`acted ${n} ${step.kind}`);
      return { steps: [] };
  }
}

function finish(id: string, n: number, answer: string | undefined, theater: Theater): void {
  const { answers } = theater.memory.find(id) as Part;
  const added = answer === undefined ? {} : { answers: { ...answers, [n]: answer } };
  theater.memory.change(id, { played: n + 1, begun: null, ...added });
  theater.passed(`finished ${n}`);
}

function makeStage(n: number, part: Part, blanks: Blanks, theater: Theater): Stage {
  return {
    repository: theater.repository,
    pace: theater.script.pace,
    step: `${part.id}/${n}`,
    begun: part.begun?.step === n ? part.begun : null,
    begin: (after) => {
      theater.memory.change(part.id, { begun: { step: n, after } });
      theater.passed(`begun ${n}`);
    },
    fill: (text) => fillIn(text, blanks),
    say: (text) => theater.print(text.split("\n").map(asOutput).join("\n")),
    signal: theater.signal,
  };
}

// Output is never mistaken for the protocol, even if it quotes a message.
function asOutput(line: string): string {
  return decodeSignal(line) === null ? line : ` ${line}`;
}

async function ask(question: StepOf<"ask">, id: string, blanks: Blanks, theater: Theater): Promise<Next> {
  theater.signal({ kind: "asked", id, question: fillIn(question.question, blanks), choices: question.choices });
  theater.passed("asked");
  const answer = await theater.inbox.answerTo(id);
  return answer === null ? null : { steps: afterAnswer(question, answer), answer };
}

function afterAnswer({ then }: StepOf<"ask">, answer: string): readonly Step[] {
  return (Object.hasOwn(then, answer) && answer !== "else" ? then[answer] : then["else"]) ?? [];
}

function byChance(maybe: StepOf<"maybe">, n: number, part: Part, { script, task }: Theater): readonly Step[] {
  const hash = createHash("sha256").update(JSON.stringify([script.seed, task, part.ordinal, n]));
  return hash.digest().readUInt32BE(0) / 2 ** 32 < maybe.chance ? maybe.do : maybe.else;
}

/** How often each scene's condition was met, by the scene's place. */
type Met = Readonly<Record<string, number>>;

/**
 * The scene for a message, and how often each condition is met with it; every condition counts, whichever scene plays.
 */
function chooseScene(
  script: Script,
  message: LinesMessage,
  known: { readonly issue: string; readonly met: Met },
): { readonly scene: number | null; readonly met: Met } {
  const met: Record<string, number> = { ...known.met };
  let scene: number | null = null;
  for (const [index, { when }] of script.scenes.entries()) {
    if (!fits(when, message, known.issue)) continue;
    const count = (met[index] ?? 0) + 1;
    met[index] = count;
    if (scene === null && (when.times ?? count) === count) scene = index;
  }
  return { scene, met };
}

function fits(when: When, message: LinesMessage, issue: string): boolean {
  if (when.kind !== "any" && when.kind !== message.kind) return false;
  if (when.issue !== undefined && when.issue !== issue) return false;
  return when.matches === undefined || when.matches.test(message.text);
}

/** Values that a script's text can refer to. */
interface Blanks {
  readonly id: string;
  readonly text: string;
  readonly attempt: number;
  readonly session: string;
  readonly branch: string;
}

/** Replaces `{{name}}` with its value; replaced text is not expanded again, and unknown names stay. */
function fillIn(text: string, blanks: Blanks): string {
  return text.replace(/\{\{(id|text|attempt|session|branch)\}\}/g, (_, name: keyof Blanks) => String(blanks[name]));
}
