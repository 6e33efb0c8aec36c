import { join } from "node:path";
import { shortHash } from "../core/hash.ts";
import { type Engine, startEngine } from "../engine/engine.ts";
import type { Executors } from "../engine/executor.ts";
import { executors as builtIn } from "../engine/executors/all.ts";
import { type Faults, noFaults } from "../engine/fault.ts";
import { openSqliteStore } from "../platform/sqlite-store.ts";
import type { Host } from "../ports/host.ts";
import type { Store } from "../ports/store.ts";
import type { HomePaths } from "../protocol/home.ts";
import { createEffectDeps } from "./effect-deps.ts";
import { createPluginInstances, type PluginInstances } from "./plugin-instances.ts";
import { createProjectConfigs, type ProjectConfigs } from "./project-configs.ts";
import { adoptUnknown } from "./rebuild-store.ts";
import { createLogins, type Logins } from "./sandbox/home/logins.ts";
import { createSessionCalls, type SessionCalls } from "./session-calls.ts";
import { keepSessionCards } from "./session-card.ts";

/** Everything below the HTTP server: store, engine, plugins, projects. */
export interface Kernel {
  readonly host: Host;
  readonly paths: HomePaths;
  readonly store: Store;
  readonly engine: Engine;
  readonly plugins: PluginInstances;
  readonly configs: ProjectConfigs;
  readonly logins: Logins;
  /** The plugins' keys from the last caller's shell. Only in memory: they are in no event, log or file. */
  readonly keys: Map<string, string>;
  readonly secret: string;
  /** Where agents in sandboxes reach the daemon. */
  readonly calls: SessionCalls;
  /** Sessions that were on disk but not in the store when this daemon started. */
  readonly adopted: readonly string[];
  runDir(sessionId: string, run: number): string;
  close(): Promise<void>;
}

export interface KernelOptions {
  readonly host: Host;
  readonly paths: HomePaths;
  readonly userHome: string;
  readonly secret: string;
  readonly faults?: Faults;
  /** For tests that plant a bug. */
  readonly executors?: Executors;
}

/** Opens the store, inspects the world, reconciles, and continues where the last daemon ended. */
export async function startKernel(options: KernelOptions): Promise<Kernel> {
  const { host, paths, secret } = options;
  const store = openSqliteStore(paths.database);
  const adopted = await adoptUnknown(host, paths, store);
  if (adopted.length > 0) host.log.warn("took in sessions that the store did not know", { sessions: adopted });
  const loaded = await store.load();
  const keys = new Map<string, string>();
  const plugins = createPluginInstances(withKeys(host, keys), paths.home);
  const configs = createProjectConfigs(host, paths, options.userHome);
  const logins = createLogins(host, paths);
  const runDir = (sessionId: string, run: number): string => join(paths.sessions, sessionId, "runs", String(run));
  const faults = options.faults ?? noFaults;
  const holder: { engine?: Engine } = {};
  const calls = createSessionCalls(host, paths);
  const shared = { host, paths, store, plugins, configs, logins, secret, calls, runDir };
  const effects = createEffectDeps({
    ...shared,
    homeMark: shortHash((await host.fs.realPath(paths.home)) ?? paths.home),
    session: (id) => holder.engine?.loop.world.view.session(id),
    projects: () => holder.engine?.loop.world.view.projects() ?? [],
    project: (id) => holder.engine?.loop.world.view.project(id) ?? (loaded.states.get(`project:${id}`) as never),
  });
  const engine = await startEngine({
    store,
    loaded,
    clock: host.clock,
    log: host.log,
    faults,
    executors: options.executors ?? builtIn,
    effects,
  });
  holder.engine = engine;
  await configs.adopt(engine.loop.world.view.projects());
  const stopCards = keepSessionCards(host, paths, engine);
  return {
    ...shared,
    engine,
    keys,
    adopted,
    close: async () => {
      stopCards();
      await engine.close();
      await store.close();
    },
  };
}

/** The host for plugins: the daemon's environment with the plugins' keys. */
function withKeys(host: Host, keys: ReadonlyMap<string, string>): Host {
  return {
    ...host,
    get env() {
      return { ...host.env, ...Object.fromEntries(keys) };
    },
  };
}
