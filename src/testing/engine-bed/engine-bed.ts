import type { Input } from "../../core/input.ts";
import { type Engine, startEngine } from "../../engine/engine.ts";
import type { Executors } from "../../engine/executor.ts";
import { executors as builtIn } from "../../engine/executors/all.ts";
import type { CommandResult } from "../../engine/submission.ts";
import type { Host } from "../../ports/host.ts";
import type { Store } from "../../ports/store.ts";
import { createMortal, Killed, type Mortal } from "../fakes/mortal.ts";
import { createMemoryStore } from "../memory-store.ts";
import { createBedDeps } from "./deps.ts";
import { type BedWorld, type BedWorldOptions, createBedWorld, type Ports } from "./world.ts";

export interface BedOptions extends BedWorldOptions {
  /** Executors with a planted bug. */
  readonly executors?: Executors;
  /** Ports with a planted bug. */
  readonly ports?: (ports: Ports) => Partial<Ports>;
  /** A host with a planted bug. */
  readonly host?: (host: Host) => Host;
  /** The test's own store, such as one whose next call fails. */
  readonly store?: Store;
  /** Decides at which place a daemon dies. */
  readonly killAt?: (place: string) => boolean;
  /** How many daemons may die of it; later ones live. Default: the first. */
  readonly deaths?: number;
}

/** The real engine and core with a store, ports and a clock in memory. */
export interface EngineBed {
  readonly world: BedWorld;
  readonly store: Store;
  readonly engine: Engine;
  isDead(): boolean;
  /** Starts a daemon on the state that the last one left. */
  restart(): Promise<void>;
  /** Drops the daemon: nothing it still does has any effect. */
  kill(): void;
  /** Rejects with `Killed` if the daemon dies before it answers. */
  submit(input: Input, key?: string): Promise<CommandResult>;
  /** Resolves when the engine is idle and no timer is due, or the daemon has died. */
  idle(): Promise<void>;
  /** Advances time, timer by timer, each followed by quiescence; stops early if the daemon dies. */
  advance(ms: number): Promise<void>;
}

/** Starts a daemon on a fresh world. */
export async function openEngineBed(options: BedOptions = {}): Promise<EngineBed> {
  const world = createBedWorld(options);
  const store = options.store ?? createMemoryStore();
  let deaths = options.deaths ?? 1;
  let daemon: { readonly engine: Engine; readonly mortal: Mortal } | null = null;
  const current = (): { readonly engine: Engine; readonly mortal: Mortal } => {
    if (daemon === null) throw new Error("the daemon has not started");
    return daemon;
  };
  let mortal = createMortal();
  const restart = async (): Promise<void> => {
    daemon = null;
    mortal = createMortal(deaths > 0 ? options.killAt : undefined);
    deaths -= 1;
    const own = mortal;
    const starting = startDaemon(own, { world, store, options }).then((engine) => {
      daemon = { engine, mortal: own };
    });
    // A daemon that dies during its start never finishes starting.
    await Promise.race([starting, own.died]);
    if (daemon === null) await restart();
  };
  const idle = async (): Promise<void> => {
    const { engine, mortal: own } = current();
    for (;;) {
      await Promise.race([engine.idle(), own.died]);
      const next = world.clock.nextAt();
      if (own.isDead() || next === null || next > world.clock.now()) return;
      await world.clock.advance(0);
    }
  };
  await restart();
  return {
    world,
    store,
    get engine() {
      return current().engine;
    },
    isDead: () => mortal.isDead(),
    restart,
    kill: () => mortal.kill("by the test"),
    submit: (input, key) => {
      const { engine, mortal: own } = current();
      const death = own.died.then(() => Promise.reject(new Killed("before it answered")));
      return Promise.race([engine.submit({ input, key }), death]);
    },
    idle,
    advance: async (ms) => {
      const until = world.clock.now() + ms;
      for (;;) {
        await idle();
        const next = world.clock.nextAt();
        if (mortal.isDead() || next === null || next > until) break;
        world.clock.set(next);
        await world.clock.advance(0);
      }
      world.clock.set(until);
    },
  };
}

interface Ground {
  readonly world: BedWorld;
  readonly store: Store;
  readonly options: BedOptions;
}

async function startDaemon(mortal: Mortal, { world, store, options }: Ground): Promise<Engine> {
  const plain = world.machine.host;
  const host = mortal.holdHost(options.host?.(plain) ?? plain);
  const before = world.before?.isOver === false ? { scm: world.before.scm } : {};
  const given = { ...world.ports, ...before, ...options.ports?.(world.ports) };
  const ports: Ports = {
    agent: given.agent,
    gate: mortal.hold("gate", given.gate),
    runtime: holdRuntime(mortal, given.runtime),
    workspace: mortal.hold("workspace", given.workspace),
    scm: holdScm(mortal, given.scm),
    tracker: mortal.hold("tracker", given.tracker),
    notifier: mortal.hold("notifier", given.notifier),
  };
  const held = mortal.hold("store", store);
  return startEngine({
    store: held,
    loaded: await held.load(),
    clock: host.clock,
    log: host.log,
    faults: (point, detail) => mortal.pass(`${point} ${detail}`),
    executors: options.executors ?? builtIn,
    effects: createBedDeps(host, ports, held),
  });
}

function holdScm(mortal: Mortal, scm: Ports["scm"]): Ports["scm"] {
  const { remote } = scm;
  return { ...mortal.hold("scm", scm), ...(remote === undefined ? {} : { remote: mortal.hold("forge", remote) }) };
}

function holdRuntime(mortal: Mortal, runtime: Ports["runtime"]): Ports["runtime"] {
  const { terminal } = runtime;
  return {
    ...mortal.hold("runtime", runtime),
    ...(terminal === undefined ? {} : { terminal: mortal.hold("terminal", terminal) }),
  };
}
