import { join } from "node:path";
import type { FactSignal, StoredSignal } from "../core/agent-signal.ts";
import { completeAsked, fitAsked } from "../core/question.ts";
import { ruleFor } from "../core/reaction/rule-for.ts";
import type { LiveReport } from "../core/session/live-report.ts";
import type { SessionState } from "../core/session/state.ts";
import { lastShown, withoutEscapes } from "../core/terminal-text.ts";
import type { StoredText } from "../core/text.ts";
import { type Allowance, createAllowance } from "./allowance.ts";
import {
  type Collected,
  collectReports,
  isUrgent,
  NOTHING_COLLECTED,
  type StatusReport,
  toSubmit,
} from "./collect-reports.ts";
import type { EffectDeps } from "./executor.ts";
import { readLines } from "./line-reader.ts";
import type { Loop } from "./loop.ts";
import { RECORDED_BEFORE } from "./submission.ts";

/** Read positions are committed with events, and at the latest after this much output. */
const POSITION_STEP = 1024 * 1024;
/** How much is read of one run before others get their turn. */
const TURN_BYTES = 1024 * 1024;
/** Usage is recorded with the next fact, otherwise at most this often. */
const USAGE_MS = 30_000;
/** State changes that are recorded at once; an agent that changes faster has only its newest state recorded. */
const STATE_CHANGES = { burst: 20, intervalMs: 10_000 };
/** How often output without a fact is recorded as a sign of life: more often if silence becomes a problem sooner. */
const SIGN_OF_LIFE_MS = { atMost: 60_000, atLeast: 1000 };
const MAX_NOTE = 2000;

export interface Read {
  /** Nothing more to read for now. */
  readonly isAtEnd: boolean;
  /** Something had to be recorded at once. */
  readonly hasFacts: boolean;
}

export interface RunReader {
  /** Reads what is new: `some` is a fair share of it, `all` is everything there now. */
  read(how: "some" | "all"): Promise<Read>;
  /** Records what was collected. */
  flush(): Promise<void>;
  /** How much of the output is read and recorded. */
  recordedTo(): number;
  /** When something pending must be recorded; null: nothing pending. */
  dueAt(): number | null;
}

/** Which output is read. */
export interface RunOutput {
  readonly sessionId: string;
  readonly run: number;
}

interface Reading extends RunOutput {
  readonly loop: Loop;
  readonly deps: EffectDeps;
  readonly path: string;
  readonly source: string;
  readonly changes: Allowance;
  position: number;
  /** Where the collected part begins. */
  from: number;
  collected: Collected;
  recordedUsageAt: number;
  signOfLifeAt: number;
}

/** Reads one run's output and submits its signals. One call at a time. */
export function createRunReader(loop: Loop, deps: EffectDeps, output: RunOutput): RunReader {
  const { sessionId, run } = output;
  const source = sourceOf(sessionId, run);
  const from = loop.readTo(source);
  const reading: Reading = {
    ...{ loop, deps, sessionId, run, source, from },
    path: join(deps.runDir(sessionId, run), "out"),
    changes: createAllowance(STATE_CHANGES),
    position: from,
    collected: NOTHING_COLLECTED,
    recordedUsageAt: Number.NEGATIVE_INFINITY,
    signOfLifeAt: loop.now(),
  };
  return {
    read: (how) => orReset(reading, () => (how === "all" ? readAll(reading) : readSome(reading, TURN_BYTES))),
    flush: () => orReset(reading, () => flush(reading)),
    recordedTo: () => loop.readTo(source),
    dueAt: () => dueAt(reading),
  };
}

// What could not be recorded is read again.
async function orReset<T>(reading: Reading, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    reset(reading);
    throw error;
  }
}

function reset(reading: Reading): void {
  reading.from = reading.loop.readTo(reading.source);
  reading.position = reading.from;
  reading.collected = NOTHING_COLLECTED;
}

// Where another reader was faster, the rest is read again.
async function flush(reading: Reading): Promise<void> {
  while (dueAt(reading) !== null && !(await submit(reading))) await readAll(reading);
}

// Up to the current end: an agent that prints endlessly would never finish.
async function readAll(reading: Reading): Promise<Read> {
  const size = (await reading.deps.host.fs.stat(reading.path))?.size ?? 0;
  return readSome(reading, Math.max(1, size - reading.position));
}

async function readSome(reading: Reading, bytes: number): Promise<Read> {
  const limit = reading.position + bytes;
  let hasFacts = false;
  for (;;) {
    const session = reading.deps.session(reading.sessionId);
    if (session === undefined) return { isAtEnd: true, hasFacts };
    const seen = await readNext(reading, session);
    hasFacts ||= seen.hasFacts;
    if (seen.isAtEnd || reading.position >= limit) return { isAtEnd: seen.isAtEnd, hasFacts };
  }
}

async function readNext(reading: Reading, session: SessionState): Promise<Read> {
  const { deps, path, changes } = reading;
  const { clock, fs } = deps.host;
  const batch = await readLines(fs, path, reading.position);
  const isTerminal = session.input === "terminal";
  const lines = isTerminal ? batch.lines.map((line) => lastShown(withoutEscapes(line))) : batch.lines;
  const agent = deps.agentOf(session);
  const signals = lines.map((line) => agent.decode(line)).filter((signal) => signal !== null);
  const { activity, limitedUntil } = session;
  const mayRecord = (): boolean => changes.take(clock.now());
  reading.collected = collectReports(reading.collected, signals, { activity, limitedUntil, mayRecord });
  reading.position = batch.position;
  const hasFacts = isUrgent(reading.collected);
  const isDue = (dueAt(reading) ?? Number.POSITIVE_INFINITY) <= clock.now();
  if (hasFacts || isDue || reading.position - reading.from > POSITION_STEP) await submit(reading);
  // A terminal also shows what people type, which does not prove that the agent is alive.
  else if (signals.length > 0 || (batch.hasLines && !isTerminal)) await recordSignOfLife(reading, session);
  publishNewest(reading);
  publishWindows(reading, session.agent.plugin);
  return { isAtEnd: batch.atEnd && reading.position === batch.position, hasFacts };
}

function dueAt({ collected, recordedUsageAt, changes, deps }: Reading): number | null {
  const now = deps.host.clock.now();
  const usageAt = collected.usage.length > 0 ? Math.max(now, recordedUsageAt + USAGE_MS) : null;
  const stateAt = collected.isDeferred ? now + changes.waitMs(now) : null;
  return usageAt === null || stateAt === null ? (usageAt ?? stateAt) : Math.min(usageAt, stateAt);
}

// false: another reader recorded a part of it first, so it is read again from there.
async function submit(reading: Reading): Promise<boolean> {
  const { loop, deps, sessionId, run, source, collected, from, position, changes } = reading;
  const signals = await Promise.all(toSubmit(collected).map((signal) => storeSignal(signal, deps.keepText)));
  const result = await loop.submit({
    input: { type: "run.signals", sessionId, run, signals },
    positions: [{ source, from, position }],
  });
  if (result === RECORDED_BEFORE) {
    reset(reading);
    return false;
  }
  const now = deps.host.clock.now();
  if (collected.usage.length > 0) reading.recordedUsageAt = now;
  if (collected.isDeferred) changes.take(now);
  reading.from = position;
  reading.collected = { ...NOTHING_COLLECTED, newest: collected.newest };
  return true;
}

// An agent that prints is not stuck, even if it reports nothing new.
async function recordSignOfLife(reading: Reading, session: SessionState): Promise<void> {
  const { loop, deps, sessionId, run } = reading;
  const now = loop.now();
  if (now - Math.max(reading.signOfLifeAt, session.activity.at) < signOfLifeInterval(session, deps)) return;
  reading.signOfLifeAt = now;
  await submit(reading);
  await loop.submit({ input: { type: "run.output-seen", sessionId, run } });
}

function signOfLifeInterval(session: SessionState, deps: EffectDeps): number {
  const { atMost, atLeast } = SIGN_OF_LIFE_MS;
  if (session.problems["agent-stuck"] !== undefined) return atLeast;
  const policy = deps.policyOf(session.projectId);
  const threshold = policy === null ? null : ruleFor(policy, "agent-stuck").thresholdMs;
  return threshold === null ? atMost : Math.max(atLeast, Math.min(atMost, threshold / 4));
}

function publishNewest(reading: Reading): void {
  const { loop, sessionId, run, collected } = reading;
  const { newest } = collected;
  if (newest === undefined) return;
  reading.collected = { ...collected, newest: undefined };
  const at = loop.now();
  loop.world.noteReport(sessionId, newest === null ? null : { ...toReport(newest), run, at });
}

// All agents of one program share the same windows.
function publishWindows(reading: Reading, program: string): void {
  const { loop, collected } = reading;
  if (collected.windows === null) return;
  reading.collected = { ...collected, windows: null };
  loop.world.noteWindows(program, collected.windows, loop.now());
}

function toReport({ state, note }: StatusReport): Pick<LiveReport, "state" | "note"> {
  return { state, note: note === null || note.length <= MAX_NOTE ? note : `${note.slice(0, MAX_NOTE)}…` };
}

/** The source name of a run's output, for its read position. */
function sourceOf(sessionId: string, run: number): string {
  return `run:${sessionId}/${run}/out`;
}

/** A signal as submitted: a question is complete and fits into an event, with long details in the store. */
export async function storeSignal(
  signal: FactSignal,
  keepText: (text: string) => Promise<StoredText>,
): Promise<StoredSignal> {
  if (signal.kind !== "asked") return signal;
  const { kind, id, about, ...partly } = signal;
  const {
    kind: asks,
    detail,
    ...asked
  } = fitAsked(completeAsked({ ...partly, ...(about === undefined ? {} : { kind: about }) }));
  const stored = detail === null ? null : { format: detail.format, text: await keepText(detail.text) };
  return { kind, id, about: asks, ...asked, detail: stored };
}
