import { randomUUID } from "node:crypto";
import { createInterface, type Interface } from "node:readline";
import type { Readable } from "node:stream";
import { decodeMessage } from "../core/lines-protocol.ts";
import type { Brief, Capabilities, CreateDriver, Driver, Question, Report, UnknownNotice, Usage } from "./driver.ts";
import { endLeftovers, MARK } from "./leftovers.ts";
import type { Memory, Told } from "./memory.ts";
import { createNarration, type Narration } from "./narration.ts";
import { createPrinter, type Printer } from "./print.ts";
import { createQuestions, type Questions } from "./questions.ts";
import { createReadOnlyReport, isEnclosed } from "./read-only-report.ts";
import type { Screen } from "./screen.ts";
import { createTurns, type Turns } from "./turns.ts";

export interface BridgeOptions {
  readonly createDriver: CreateDriver;
  readonly settings: unknown;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly memory: Memory;
  readonly brief?: Brief | null;
  readonly input: Readable;
  readonly write: (line: string) => void;
  /** The terminal that the bridge runs in; absent: it uses pipes. */
  readonly screen?: Screen;
  readonly complain: (text: string) => void;
  /** Resolves when the bridge should end, with its exit code. */
  readonly stop: Promise<number>;
}

/** Runs one conversation between `ao` and a vendor's program until either ends; returns the exit code. */
export async function runBridge(options: BridgeOptions): Promise<number> {
  const { memory } = options;
  const exit = createExit(options.complain);
  const mark = await takeMark(memory);
  const { driver, printer, questions, turns } = connect(options, mark, exit);
  const lines = listen(options.input, { driver, questions, turns });
  lines.on("close", () => exit.leave(0));
  void options.stop.then(exit.leave);
  driver.open(driver.capabilities.resume ? memory.conversation() : null).then(
    () => turns.start(driver),
    (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      printer.errored(reason);
      exit.fail(reason);
    },
  );
  const code = await exit.code;
  lines.close();
  await driver.close();
  await endLeftovers(mark);
  return code;
}

/** Ends the bridge, with the first code given. */
interface Exit {
  readonly code: Promise<number>;
  leave(code: number): void;
  fail(reason: string): void;
}

function createExit(complain: (text: string) => void): Exit {
  let leave: (code: number) => void = () => undefined;
  const code = new Promise<number>((resolve) => {
    leave = resolve;
  });
  const fail = (reason: string): void => {
    complain(reason);
    leave(1);
  };
  return { code, leave, fail };
}

interface Connected {
  readonly driver: Driver;
  readonly printer: Printer;
  readonly questions: Questions;
  readonly turns: Turns;
}

/** Creates the driver and the receiver of its reports. */
function connect(options: BridgeOptions, mark: string, { fail, leave }: Exit): Connected {
  const { memory, env, settings, cwd, folder, screen = null, brief = null } = options;
  const printer = createPrinter(options.write);
  const narration = createNarration(options.write, isEnclosed(env) ? createReadOnlyReport(options.write) : undefined);
  const questions = createQuestions(printer);
  const turns = createTurns({
    memory,
    printer,
    brief: brief?.text ?? null,
    isResumed: env["AO_RESUME"] === "1",
    isBlocked: questions.isOpen,
    onEnd: questions.clear,
    fail: (error) => fail(`The bridge failed: ${String(error)}`),
  });
  const report = makeReport({
    ...{ memory, printer, narration, questions, turns, fail, leave },
    unknown: createUnknownNotices({ noted: narration.noted, complain: options.complain }),
    capabilities: () => driver.capabilities,
  });
  const notes = { get: memory.note, set: memory.setNote };
  const place = { settings, cwd, env: { ...env, [MARK]: mark }, folder, brief, screen };
  const driver: Driver = options.createDriver({ ...place, notes, report });
  return { driver, printer, questions, turns };
}

// Tools of a killed agent may still be running; a mark makes everything that this bridge starts findable.
async function takeMark(memory: Memory): Promise<string> {
  const former = memory.mark();
  if (former !== null) await endLeftovers(former);
  const mark = randomUUID();
  memory.change({ mark });
  return mark;
}

interface Parts {
  readonly memory: Memory;
  readonly printer: Printer;
  readonly narration: Narration;
  readonly questions: Questions;
  readonly turns: Turns;
  fail(reason: string): void;
  leave(code: number): void;
  readonly unknown: Report["unknown"];
  capabilities(): Capabilities;
}

function makeReport(parts: Parts): Report {
  const { memory, printer, narration, questions, turns, fail, leave, capabilities } = parts;
  const tell = (usage: Usage): void => {
    if (usage.inputTokens + usage.outputTokens + usage.costUsd > 0) printer.usage(usage);
  };
  return {
    ...turns.report,
    conversation: (id, can = capabilities()) => {
      if (id !== memory.conversation()) memory.change({ conversation: id });
      printer.conversation(id, can.resume);
    },
    asked: questions.ask,
    withdrawn: (id) => {
      questions.withdraw(id);
      turns.proceed();
    },
    limited: printer.limited,
    windows: printer.windows,
    held: printer.held,
    stuck: printer.waiting,
    used: tell,
    usedInAll: ({ model, ...total }) => {
      const usage = subtract(total, memory.told());
      memory.change({ told: total });
      tell({ ...usage, model });
    },
    ...narration,
    unknown: parts.unknown,
    left: (reason) => {
      narration.noted(reason);
      leave(0);
    },
    gone: fail,
  };
}

function subtract(total: Told, told: Told): Told {
  const rest = (name: keyof Told): number => Math.max(0, total[name] - told[name]);
  const inputTokens = rest("inputTokens");
  const cachedTokens = Math.min(rest("cachedTokens"), inputTokens);
  return { inputTokens, cachedTokens, outputTokens: rest("outputTokens"), costUsd: rest("costUsd") };
}

function listen(input: Readable, to: Pick<Connected, "driver" | "questions" | "turns">): Interface {
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on("line", (line) => {
    const message = decodeMessage(line);
    if (message === null) return;
    if (message.kind === "interrupt") to.turns.interrupt();
    else if (message.kind === "answer") passAnswer(message, to);
    else to.turns.take(message);
  });
  return lines;
}

function passAnswer(
  { id, text }: { readonly id: string; readonly text: string },
  { driver, questions, turns }: Pick<Connected, "driver" | "questions" | "turns">,
): void {
  const given = questions.answer(id, text);
  // The answer is for a question of an earlier process.
  if (given === null) return;
  driver.answer(id, given.answer);
  const reason = driver.capabilities.reasons ? null : denialReason(given.question, given.answer);
  if (reason === null) turns.proceed();
  else turns.take({ id: `${id}.reason`, kind: "message", text: reason, attempt: 1 });
}

// Why a person denied it, for a program that cannot take the reason with the denial itself.
function denialReason({ kind, question, choices }: Question, answer: string): string | null {
  if (kind !== "permission" || choices.includes(answer)) return null;
  return `The user denied your request "${question}" and said why:\n\n${answer}`;
}

/** Maximum length of a logged message; vendors put whole files into some. */
const MAX_BODY = 2000;
/** Maximum number of logged messages per kind. */
const MAX_LOGGED = 20;
/** Maximum number of noted kinds: a vendor that keeps inventing names must not fill the transcript. */
const MAX_KINDS = 50;

/** Logs messages that a driver does not know, and notes the first of each kind in the transcript. */
export function createUnknownNotices(to: Pick<Report, "noted"> & { complain(text: string): void }): Report["unknown"] {
  const counts = new Map<string, number>();
  return ({ kind, body }: UnknownNotice) => {
    const count = (counts.get(kind) ?? 0) + 1;
    if (count === 1 && counts.size >= MAX_KINDS) return;
    counts.set(kind, count);
    if (count <= MAX_LOGGED)
      to.complain(`unknown message "${kind}": ${(JSON.stringify(body) ?? "").slice(0, MAX_BODY)}`);
    if (count === 1) to.noted(`The agent sent "${kind}", which this version of ao does not know; ignored.`);
  };
}
