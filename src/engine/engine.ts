import type { StoredEvent } from "../ports/store.ts";
import { createEffects } from "./effects.ts";
import type { EffectDeps, Executors } from "./executor.ts";
import type { Faults } from "./fault.ts";
import { type CommandResult, createLoop, type Loop, type LoopDeps, type Submission } from "./loop.ts";
import { createBranchObserver } from "./observe-branches.ts";
import { createRunObserver } from "./observe-runs.ts";
import { createWorkspaceObserver } from "./observe-workspaces.ts";

export interface Engine {
  readonly loop: Loop;
  submit(submission: Submission): Promise<CommandResult>;
  subscribe(listener: (events: readonly StoredEvent[]) => void): () => void;
  /** Looks at a session's run and workspace at once, so that an answer is not older than the question. */
  refresh(sessionId: string): Promise<void>;
  /** Resolves when nothing is decided, done or read at the moment. */
  idle(): Promise<void>;
  /** Finishes what runs and stops; agents go on. */
  close(): Promise<void>;
}

export interface EngineDeps extends LoopDeps {
  readonly executors: Executors;
  /** Everything of EffectDeps that does not come from the engine itself. */
  readonly effects: Omit<
    EffectDeps,
    "session" | "change" | "policyOf" | "notices" | "recordRunEnd" | "faultPoint" | "noteCheckPhase"
  >;
  readonly faults: Faults;
}

/** How long a shutdown waits for effects that run. */
const DRAIN_MS = 5000;

/** The imperative shell: loop, effects and observers together. Start-up is: load, look at the world, reconcile, go on. */
export async function startEngine(deps: EngineDeps): Promise<Engine> {
  const loop = createLoop(deps);
  const effectDeps: EffectDeps = {
    ...deps.effects,
    session: (id) => loop.world.view.session(id),
    change: (key) => loop.world.view.change(key),
    policyOf: (projectId) => loop.world.view.project(projectId)?.policy ?? null,
    notices: (ids) => {
      const { waiting } = loop.world.view.fleet().notices;
      return ids.flatMap((id) => waiting.find((notice) => notice.id === id) ?? []);
    },
    noteCheckPhase: loop.world.noteCheckPhase,
    recordRunEnd: (sessionId, run) => runs.settleRun(sessionId, run),
    faultPoint: (detail) => deps.faults("execute:inside", detail),
  };
  const runs = createRunObserver(loop, effectDeps, deps.loaded.positions);
  const workspaces = createWorkspaceObserver(loop, effectDeps);
  const branches = createBranchObserver(loop, effectDeps);
  const effects = createEffects(loop, deps.executors, effectDeps, deps.faults);

  // What happened while no daemon ran is read first; a message that was confirmed meanwhile is not sent again.
  runs.follow(loop.world.view.sessions());
  await runs.lookAtAll();
  loop.subscribe((events) => {
    const touched = new Set(
      events.filter(({ stream }) => stream.startsWith("session:")).map(({ stream }) => stream.slice(8)),
    );
    runs.follow([...touched].flatMap((id) => loop.world.view.session(id) ?? []));
    effects.poke();
  });
  effects.start();

  const isQuiet = (): boolean => loop.isQuiet() && effects.isQuiet() && runs.isQuiet();
  return {
    loop,
    submit: loop.submit,
    subscribe: loop.subscribe,
    refresh: async (sessionId) => {
      await workspaces.inspect(sessionId);
      await branches.inspect(sessionId);
    },
    idle: async () => {
      while (!isQuiet()) await new Promise<void>((resolve) => deps.clock.after(5, resolve));
    },
    close: async () => {
      // A long set-up command is not waited for; it is found again, and awaited, by the next daemon.
      await Promise.race([effects.drain(), new Promise<void>((resolve) => deps.clock.after(DRAIN_MS, resolve))]);
      runs.close();
      workspaces.close();
      branches.close();
      loop.close();
    },
  };
}
