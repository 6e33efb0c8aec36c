import { join } from "node:path";
import type { IntentOutcome } from "../../core/intent.ts";
import type { Agent } from "../../ports/agent.ts";
import type { Host } from "../../ports/host.ts";
import { taskText } from "../brief.ts";
import { type EffectDeps, type Executor, type Reconciled, requireSession, runRef, type SpecOf } from "../executor.ts";
import { refreshWorkspace } from "../refresh-workspace.ts";

type Spec = SpecOf<"send-message">;

/** Appends a message to the agent's inbox file, or types it into its terminal. */
export const sendMessage: Executor<"send-message"> = {
  survivesDaemon: false,
  concurrency: 64,
  execute: async (spec, _intentId, deps) => {
    const session = requireSession(deps, spec.sessionId);
    // A message may ask the agent to merge what the base has now.
    await refreshWorkspace(deps, session);
    if (session.input === "terminal") return typeIt(spec, deps);
    const bytes = await encode(spec, deps);
    if (bytes === null)
      return { kind: "failed", code: "internal", message: "The text of the message is gone.", hint: null };
    const runDir = deps.runDir(spec.sessionId, spec.run);
    deps.faultPoint("send-message: before the append");
    try {
      await appendWhole(deps.host, join(runDir, "in"), bytes);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      // The part already written stays and is completed later: the agent may have read it.
      return { kind: "message-held", reason: "the disk is full" };
    }
    deps.faultPoint("send-message: before the bell");
    await deps.host.fs.ring(join(runDir, "bell"));
    return { kind: "message-written" };
  },
  reconcile: async (spec, _intentId, deps) => {
    const session = requireSession(deps, spec.sessionId);
    if (session.input === "terminal") {
      return { kind: "unknown", reason: "the daemon stopped while typing; the message is not typed again" };
    }
    const bytes = await encode(spec, deps);
    // The text is dropped once the agent confirmed it, so it arrived.
    if (bytes === null) return { kind: "done", outcome: { kind: "message-written" } };
    const runDir = deps.runDir(spec.sessionId, spec.run);
    const answer = await completeInbox(deps.host, join(runDir, "in"), bytes);
    // The last daemon may have appended it and died before it rang.
    await deps.host.fs.ring(join(runDir, "bell"));
    return answer;
  },
};

async function encode(spec: Spec, deps: EffectDeps): Promise<Uint8Array | null> {
  const session = requireSession(deps, spec.sessionId);
  const message = session.messages.find((candidate) => candidate.id === spec.messageId);
  if (message === undefined || message.text === null) return null;
  const own = await deps.textOf(message.text);
  // The first message carries the brief if the agent cannot read it elsewhere.
  const text = message.kind === "task" ? await taskText(deps, session, spec.run, own) : own;
  const id = message.kind === "answer" ? (message.replyTo ?? message.id) : message.id;
  const line = deps.agentOf(session).encode({ id, kind: message.kind, text, attempt: spec.attempt });
  return new TextEncoder().encode(line);
}

/**
 * Only this daemon appends, one message at a time, so a started message is the last thing in the file: complete,
 * partial (then it is completed from the known bytes), or absent.
 */
export async function completeInbox(host: Host, inbox: string, bytes: Uint8Array): Promise<Reconciled> {
  const written: Reconciled = { kind: "done", outcome: { kind: "message-written" } };
  const tail = await host.fs.readEnd(inbox, bytes.length);
  if (tail === null) return { kind: "not-done" };
  if (tail.length === bytes.length && equal(tail, bytes)) return written;
  const torn = tornEnd(tail);
  if (torn.length === 0) return { kind: "not-done" };
  if (!isBeginning(torn, bytes)) {
    return { kind: "unknown", reason: "the inbox file ends with part of another line" };
  }
  await host.fs.append(inbox, bytes.subarray(torn.length));
  return written;
}

/**
 * Appends a message to an inbox that a full disk may have left partial: completes its own start, and turns the rest of
 * another message into a line of its own, so that only that one is damaged.
 */
async function appendWhole(host: Host, inbox: string, bytes: Uint8Array): Promise<void> {
  const tail = await host.fs.readEnd(inbox, bytes.length);
  const torn = tornEnd(tail ?? new Uint8Array());
  if (isBeginning(torn, bytes)) return host.fs.append(inbox, bytes.subarray(torn.length));
  return host.fs.append(inbox, new Uint8Array([NEWLINE, ...bytes]));
}

function tornEnd(tail: Uint8Array): Uint8Array {
  return tail.subarray(tail.lastIndexOf(NEWLINE) + 1);
}

function isBeginning(part: Uint8Array, of: Uint8Array): boolean {
  return equal(part, of.subarray(0, part.length));
}

function isDiskFull(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT"].includes(String((error as { readonly code?: unknown } | null)?.code));
}

const NEWLINE = 10;

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

async function typeIt(spec: Spec, deps: EffectDeps): Promise<IntentOutcome> {
  const session = requireSession(deps, spec.sessionId);
  const terminal = deps.runtimeOf(session).terminal;
  const message = session.messages.find((candidate) => candidate.id === spec.messageId);
  if (terminal === undefined || message === undefined || message.text === null) {
    return { kind: "failed", code: "internal", message: "There is no terminal to type into.", hint: null };
  }
  const ref = runRef(deps, session.id, spec.run);
  const guard = await terminal.guard(ref);
  if (guard.kind === "wait") return { kind: "message-held", reason: guard.reason };
  // The brief is not typed: a program that reads line by line would take each line for a message. AO_BRIEF names it.
  const text = quoteSignals(await deps.textOf(message.text), deps.agentOf(session));
  deps.faultPoint("send-message: before typing");
  await terminal.type(ref, text);
  return { kind: "message-written" };
}

/** A terminal echoes what is typed: a line that looks like the agent's own must not come back as its signal. */
export function quoteSignals(text: string, agent: Pick<Agent, "decode">): string {
  return text
    .split("\n")
    .map((line) => (agent.decode(line) === null ? line : `> ${line}`))
    .join("\n");
}
