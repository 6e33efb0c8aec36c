import { join } from "node:path";
import type { IntentOutcome } from "../../core/intent.ts";
import type { SessionState } from "../../core/session/state.ts";
import { taskText, writeBrief } from "../brief.ts";
import { type EffectDeps, type Executor, requireSession, runRef, type SpecOf } from "../executor.ts";
import { refreshWorkspace } from "../refresh-workspace.ts";
import { findRefusal } from "../run-hooks.ts";
import { END_GRACE_MS } from "./end-run.ts";

type Spec = SpecOf<"start-run">;

/** Starts the agent's process once per run folder; after a crash, adopts the one that was started. */
export const startRun: Executor<"start-run"> = {
  survivesDaemon: true,
  concurrency: 16,
  execute: async (spec, intentId, deps) => {
    const session = requireSession(deps, spec.sessionId);
    const text = `the agent of ${session.id} is about to start`;
    // A mark of its own: a hook that outlives the daemon must not be taken for the agent.
    const question = { point: "before-agent-started", text, intentId: `${intentId}/hook` } as const;
    const refusal = await findRefusal(session, question, deps);
    if (refusal !== null) return { kind: "failed", code: "conflict", message: refusal, hint: null };
    return start(spec, intentId, deps);
  },
  reconcile: async (spec, intentId, deps) => {
    const { runDir } = runRef(deps, spec.sessionId, spec.run);
    const wasStarted = await isLocked(deps, runDir);
    if (!wasStarted && (await deps.host.processes.findByIntent(intentId)).length === 0) return { kind: "not-done" };
    return { kind: "done", outcome: await start(spec, intentId, deps) };
  },
};

async function start(spec: Spec, intentId: string, deps: EffectDeps): Promise<IntentOutcome> {
  const session = requireSession(deps, spec.sessionId);
  const agent = deps.agentOf(session);
  const launch = agent.launch({
    interface: deps.runtimeOf(session).modes.includes("terminal") ? "terminal" : "structured",
    resume: spec.run > 1,
  });
  const ref = runRef(deps, session.id, spec.run);
  const brief = await writeBrief(deps, session, spec.run);
  const initialInput = await initialInputOf(session, spec, deps);
  const env = { ...launch.defaults, ...(await deps.environmentOf(session)), AO_BRIEF: brief, ...launch.env };
  const { onlyHosts } = session.run;
  const limit = onlyHosts === undefined ? {} : { onlyHosts };
  await refreshWorkspace(deps, session);
  const argv = await deps.enclose(session, { argv: launch.argv, environment: env, runDir: ref.runDir, ...limit });
  deps.faultPoint("start-run: before the launch");
  const runtime = deps.runtimeOf(session);
  const cwd = session.workspace.path ?? "";
  const answer = await runtime
    .start({ ...ref, intentId, argv, cwd, env, input: launch.input, initialInput })
    .catch(async (error: unknown) => {
      // Once the run folder is locked the program may have run, so its message may have been delivered.
      if (!(await isLocked(deps, ref.runDir))) throw error;
      // It may still be running, and would work alongside the run that replaces it.
      await runtime.end(ref, END_GRACE_MS);
      return { kind: "lost", reason: error instanceof Error ? error.message : String(error) } as const;
    });
  if (answer.kind === "lost") return { kind: "unknown", reason: answer.reason };
  if (answer.kind === "started") return { kind: "run-started", pid: answer.pid };
  await deps.recordRunEnd(session.id, spec.run);
  return { kind: "run-ended", code: answer.code, evidence: `exit code ${answer.code}` };
}

async function isLocked(deps: EffectDeps, runDir: string): Promise<boolean> {
  return (await deps.host.fs.stat(join(runDir, "lock"))) !== null;
}

// A process per message gets that message; a long-lived one gets the turn that its predecessor left open.
async function initialInputOf(session: SessionState, spec: Spec, deps: EffectDeps): Promise<string> {
  const agent = deps.agentOf(session);
  if (spec.messageId !== null) {
    const message = session.messages.find((candidate) => candidate.id === spec.messageId);
    if (message === undefined || message.text === null) return "";
    const own = await deps.textOf(message.text);
    const text = message.kind === "task" ? await taskText(deps, session, spec.run, own) : own;
    return agent.encode({ id: message.id, kind: "message", text, attempt: message.attempt });
  }
  if (session.turn === null || session.input !== "inbox") return "";
  const text = await taskText(deps, session, spec.run, await deps.textOf(session.turn.text));
  return agent.encode({ id: session.turn.messageId, kind: "resume", text, attempt: 1 });
}
