import { join } from "node:path";
import type { IntentOutcome } from "../../core/intent.ts";
import type { Agent } from "../../ports/agent.ts";
import type { Host } from "../../ports/host.ts";
import { taskText } from "../brief.ts";
import { type EffectDeps, type Executor, type Reconciled, requireSession, runRef, type SpecOf } from "../executor.ts";

type Spec = SpecOf<"send-message">;

/** Puts a message into the agent's inbox file, or types it into its terminal. */
export const sendMessage: Executor<"send-message"> = {
  survivesDaemon: false,
  concurrency: 64,
  execute: async (spec, _intentId, deps) => {
    const session = requireSession(deps, spec.sessionId);
    if (session.input === "terminal") return typeIt(spec, deps);
    const bytes = await encode(spec, deps);
    if (bytes === null)
      return { kind: "failed", code: "internal", message: "The text of the message is gone.", hint: null };
    const runDir = deps.runDir(spec.sessionId, spec.run);
    deps.faultPoint("send-message: before the append");
    await deps.host.fs.append(join(runDir, "in"), bytes);
    deps.faultPoint("send-message: before the bell");
    await deps.host.fs.ring(join(runDir, "bell"));
    return { kind: "message-written" };
  },
  reconcile: async (spec, _intentId, deps) => {
    const session = requireSession(deps, spec.sessionId);
    if (session.input === "terminal") {
      return { kind: "unknown", reason: "the daemon ended while it typed; it is not typed again" };
    }
    const bytes = await encode(spec, deps);
    // The text is dropped once the agent confirmed: then it arrived.
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
  // The first message carries the brief where the agent cannot read it elsewhere.
  const text = message.kind === "task" ? await taskText(deps, session, spec.run, own) : own;
  const id = message.kind === "answer" ? (message.replyTo ?? message.id) : message.id;
  const line = deps.agentOf(session).encode({ id, kind: message.kind, text, attempt: spec.attempt });
  return new TextEncoder().encode(line);
}

/**
 * Only this daemon appends, one message at a time, so a message that was begun is the last thing in the file:
 * whole, torn (then it is completed from the known bytes), or absent.
 */
export async function completeInbox(host: Host, inbox: string, bytes: Uint8Array): Promise<Reconciled> {
  const written: Reconciled = { kind: "done", outcome: { kind: "message-written" } };
  const stat = await host.fs.stat(inbox);
  if (stat === null) return { kind: "not-done" };
  const from = Math.max(0, stat.size - bytes.length);
  const tail = (await host.fs.readBytes(inbox, from, bytes.length)) ?? new Uint8Array();
  if (tail.length === bytes.length && equal(tail, bytes)) return written;
  if (tail.length === 0 || tail.at(-1) === NEWLINE) return { kind: "not-done" };
  const torn = tail.subarray(tail.lastIndexOf(NEWLINE) + 1);
  if (!equal(torn, bytes.subarray(0, torn.length))) {
    return { kind: "unknown", reason: "the inbox ends in the middle of something else" };
  }
  await host.fs.append(inbox, bytes.subarray(torn.length));
  return written;
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

/** A terminal echoes what is typed: a line that reads like one of the agent's own must not come back as its word. */
export function quoteSignals(text: string, agent: Pick<Agent, "decode">): string {
  return text
    .split("\n")
    .map((line) => (agent.decode(line) === null ? line : `> ${line}`))
    .join("\n");
}
