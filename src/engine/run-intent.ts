import { AoError, PluginError } from "../core/errors.ts";
import type { IntentKind, IntentOutcome } from "../core/intent.ts";
import { pause, pollUntil } from "../ports/poll.ts";
import type { OpenIntent } from "../ports/store.ts";
import type { EffectDeps, Executor, Executors, Reconciled } from "./executor.ts";
import type { Faults } from "./fault.ts";
import type { Loop } from "./loop.ts";

/** How long processes that a former daemon left running for an intent have to end by themselves. */
const ORPHAN_LIMIT_MS = 10_000;

/** Pause before retrying what could not be committed. */
export const RETRY_MS = 500;

export interface IntentParts {
  readonly loop: Loop;
  readonly executors: Executors;
  readonly deps: EffectDeps;
  readonly faults: Faults;
}

/** Marks an intent as started, executes it, and reports its outcome. */
export async function startAndRun(parts: IntentParts, intent: OpenIntent): Promise<void> {
  const { loop, faults } = parts;
  await loop.submit({ input: { type: "intent.starting", id: intent.id } });
  // An input that was decided first may have withdrawn it.
  const now = loop.openIntents.get(intent.id);
  if (now === undefined || !isStarted(now)) return;
  faults("start:after", intent.spec.kind);
  await run(parts, intent);
}

/** Finds out whether an intent that a former daemon started had its effect; executes it if not. */
export async function reconcile(parts: IntentParts, intent: OpenIntent): Promise<void> {
  const { deps } = parts;
  const answer = await findOut(parts, intent).catch(
    (error: unknown) => ({ kind: "done", outcome: toFailure(error) }) as const,
  );
  deps.host.log.info("reconciled an effect of a former daemon", { intent: intent.id, answer: answer.kind });
  if (answer.kind === "not-done" && isUnwanted(intent, deps)) return report(parts, intent, STOPPED);
  if (answer.kind === "not-done") return run(parts, intent);
  await report(parts, intent, answer.kind === "done" ? answer.outcome : { kind: "unknown", reason: answer.reason });
}

/** Was an intent started, by this daemon or a former one? */
export function isStarted(intent: OpenIntent): boolean {
  return intent.status === "started";
}

/** Is a workspace being created for a session that should stop? */
export function isUnwanted({ spec }: OpenIntent, deps: EffectDeps): boolean {
  return spec.kind === "create-workspace" && deps.session(spec.sessionId)?.phase === "stopping";
}

/**
 * What the processes of an intent carry in their environment. The same session name may exist under another AO_HOME; its
 * processes are not ours to await or end.
 */
export function markOf(intent: OpenIntent, { homeMark }: EffectDeps): string {
  return `${intent.id}@${homeMark}`;
}

const STOPPED: IntentOutcome = {
  kind: "failed",
  code: "session-state",
  message: "The session was stopped.",
  hint: null,
};

async function run(parts: IntentParts, intent: OpenIntent): Promise<void> {
  const { deps, faults } = parts;
  const { kind } = intent.spec;
  const mark = markOf(intent, deps);
  const execute = async (): Promise<IntentOutcome> => {
    faults("execute:before", kind);
    const outcome = await executorOf(parts, intent).execute(intent.spec as never, mark, deps);
    faults("execute:after", kind);
    return outcome;
  };
  const outcome = await deps.host.withIntent(mark, execute).catch((error: unknown) => toFailure(error));
  await report(parts, intent, outcome);
}

// An effect that happened must not be forgotten because the disk was full for a while.
async function report({ loop, deps, faults }: IntentParts, intent: OpenIntent, outcome: IntentOutcome): Promise<void> {
  for (;;) {
    try {
      await loop.submit({ input: { type: "intent.outcome", id: intent.id, outcome } });
      faults("outcome:after", intent.spec.kind);
      return;
    } catch (error) {
      if (error instanceof AoError && error.code === "daemon-unreachable") return;
      await pause(deps.host.clock, RETRY_MS);
    }
  }
}

async function findOut(parts: IntentParts, intent: OpenIntent): Promise<Reconciled> {
  const { deps } = parts;
  const executor = executorOf(parts, intent);
  const mark = markOf(intent, deps);
  if (!executor.survivesDaemon) await awaitOrphans(deps, mark);
  return executor.reconcile(intent.spec as never, mark, deps);
}

async function awaitOrphans({ host }: EffectDeps, mark: string): Promise<void> {
  const deadline = host.clock.now() + ORPHAN_LIMIT_MS;
  const endOrphans = async (): Promise<boolean> => {
    const orphans = await host.processes.findByIntent(mark);
    if (host.clock.now() > deadline) for (const orphan of orphans) host.processes.signal(orphan.pid, "SIGKILL");
    return orphans.length === 0;
  };
  let isLogged = false;
  await pollUntil(host.clock, { everyMs: 50, timeoutMs: Number.POSITIVE_INFINITY }, () =>
    endOrphans().catch((error: unknown) => {
      // Processes that cannot be listed, such as with too many open files, may still be at work.
      if (!isLogged) host.log.warn("could not list the processes of a former daemon", { mark, reason: String(error) });
      isLogged = true;
      return false;
    }),
  );
}

function executorOf({ executors }: IntentParts, { spec }: OpenIntent): Executor<IntentKind> {
  return executors[spec.kind] as unknown as Executor<IntentKind>;
}

function toFailure(error: unknown): IntentOutcome {
  if (error instanceof PluginError && error.category === "unknown-outcome") {
    return { kind: "unknown", reason: error.message };
  }
  if (error instanceof AoError)
    return { kind: "failed", code: error.code, message: error.message, hint: error.hint ?? null };
  return {
    kind: "failed",
    code: "internal",
    message: error instanceof Error ? error.message : String(error),
    hint: null,
  };
}
