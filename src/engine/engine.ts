import type { ForgeReport } from "../core/change/forge-report.ts";
import { lastNumber } from "../core/change/open.ts";
import type { World } from "../core/world.ts";
import type { Notice } from "../ports/notifier.ts";
import type { StoredEvent } from "../ports/store.ts";
import { createActivity } from "./activity.ts";
import { createEffects } from "./effects.ts";
import type { EffectDeps, Executors } from "./executor.ts";
import type { Faults } from "./fault.ts";
import type { ForgeTrouble } from "./forge-watch.ts";
import { createLoop, type Loop, type LoopDeps } from "./loop.ts";
import { createBranchObserver } from "./observe-branches.ts";
import { createChangeObserver } from "./observe-changes.ts";
import { createCollisionObserver } from "./observe-collisions.ts";
import { createRepositoryObserver } from "./observe-repositories.ts";
import { createRunObserver } from "./observe-runs.ts";
import { createWorkspaceObserver } from "./observe-workspaces.ts";
import type { CommandResult, Submission } from "./submission.ts";

export interface Engine {
  readonly loop: Loop;
  submit(submission: Submission): Promise<CommandResult>;
  subscribe(listener: (events: readonly StoredEvent[]) => void): () => void;
  /** Inspects a session's workspace and branch now, so that an answer is not older than its question. */
  refresh(sessionId: string): Promise<void>;
  /** Reads what a forge reports as changed; returns the number of affected pull requests. */
  report(report: ForgeReport): number;
  /** Projects whose forge cannot be read now, and why. */
  forgeTroubles(): readonly ForgeTrouble[];
  /** Resolves when nothing is being decided, performed or read; pending timers and running agents do not count. */
  idle(): Promise<void>;
  /** Finishes what is running and stops; agents keep running. */
  close(): Promise<void>;
}

export interface EngineDeps extends LoopDeps {
  readonly executors: Executors;
  /** The part of EffectDeps that does not come from the engine itself. */
  readonly effects: Omit<
    EffectDeps,
    | "session"
    | "change"
    | "project"
    | "openChanges"
    | "lastNumber"
    | "policyOf"
    | "notices"
    | "recordRunEnd"
    | "faultPoint"
    | "noteCheckPhase"
  >;
  readonly faults: Faults;
}

/** How long a shutdown waits for running effects. */
const DRAIN_MS = 5000;

/** The imperative shell: loop, effects and observers together. Start-up is: load, read what runs printed, reconcile, continue. */
export async function startEngine(deps: EngineDeps): Promise<Engine> {
  const activity = createActivity();
  const loop = createLoop({ ...deps, activity });
  const effectDeps: EffectDeps = {
    ...deps.effects,
    ...readersOf(loop),
    noteCheckPhase: loop.world.noteCheckPhase,
    recordRunEnd: (sessionId, run) => runs.recordRunEnd(sessionId, run),
    faultPoint: (detail) => deps.faults("execute:inside", detail),
  };
  const runs = createRunObserver({ loop, deps: effectDeps, activity });
  const workspaces = createWorkspaceObserver(loop, effectDeps, activity);
  const branches = createBranchObserver(loop, effectDeps, activity);
  const changes = createChangeObserver(loop, effectDeps, activity);
  const collisions = createCollisionObserver(loop, effectDeps, activity);
  const repositories = createRepositoryObserver(loop, effectDeps, activity);
  const effects = createEffects({ loop, executors: deps.executors, deps: effectDeps, faults: deps.faults, activity });

  // What happened while no daemon was running is read first; a message confirmed meanwhile is not sent again.
  await runs.start(loop.world.view.sessions());
  loop.subscribe((events) => {
    const touched = new Set(
      events.filter(({ stream }) => stream.startsWith("session:")).map(({ stream }) => stream.slice(8)),
    );
    runs.follow([...touched].flatMap((id) => loop.world.view.session(id) ?? []));
    for (const observer of [collisions, repositories]) observer.follow(events);
  });
  loop.subscribe(effects.poke);
  effects.start();
  // Restarts and deadlines that the last daemon waited for must not wait for the next command.
  loop
    .submit({ input: { type: "timer" } })
    .catch((error: unknown) => deps.log.error("the first look at all sessions failed", { reason: String(error) }));

  return {
    loop,
    submit: loop.submit,
    subscribe: loop.subscribe,
    refresh: async (sessionId) => {
      await workspaces.inspect(sessionId);
      await branches.inspect(sessionId);
    },
    report: changes.report,
    forgeTroubles: changes.troubles,
    idle: activity.idle,
    close: async () => {
      // A long set-up command is not awaited here; the next daemon finds it and awaits it.
      await Promise.race([effects.drain(), new Promise<void>((resolve) => deps.clock.after(DRAIN_MS, resolve))]);
      for (const part of [runs, workspaces, branches, changes, collisions, repositories, loop]) part.close();
    },
  };
}

/** What effects read of the world. */
function readersOf({
  world,
}: Loop): Pick<EffectDeps, "session" | "change" | "project" | "openChanges" | "lastNumber" | "policyOf" | "notices"> {
  return {
    session: (id) => world.view.session(id),
    change: (key) => world.view.change(key),
    project: (id) => world.view.project(id),
    openChanges: (projectId) => [...world.view.activeChanges(projectId)],
    lastNumber: (projectId) => lastNumber(world.view, projectId),
    policyOf: (projectId) => world.view.project(projectId)?.policy ?? null,
    notices: (ids) => noticesOf(world.view, ids),
  };
}

function noticesOf(world: World, ids: readonly string[]): readonly Notice[] {
  const { waiting } = world.fleet().notices;
  return ids.flatMap((id) => waiting.find((notice) => notice.id === id) ?? []);
}
