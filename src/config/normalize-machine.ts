import type { Prices } from "../core/cost/prices.ts";
import type {
  DashboardConfig,
  DefaultPlugins,
  ExternalPlugin,
  FleetAgent,
  MachineConfig,
  MachineLimits,
  PluginRef,
} from "./config.ts";
import { FIGURES } from "./figures.ts";
import { normalizeHooks } from "./normalize-hooks.ts";
import { type ResolvePath, resolveFrom } from "./paths.ts";
import { toPluginRef } from "./plugin-ref.ts";
import { durationMs, sizeBytes } from "./schema/scalar.ts";
import type { WrittenConfig } from "./schema.ts";

/** The daemon's settings, with every default resolved. */
export function normalizeMachine(written: WrittenConfig, context: ResolvePath): MachineConfig {
  const orchestrator = written.orchestrator;
  const polling = written.lifecycle?.polling;
  return {
    port: written.port ?? null,
    host: written.host ?? FIGURES.host,
    defaults: normalizeDefaults(written.defaults ?? {}),
    limits: normalizeLimits(written),
    prices: normalizePrices(written.prices ?? {}),
    orchestrator: { autoAssign: orchestrator?.autoAssign ?? orchestrator?.auto_assign ?? FIGURES.autoAssign },
    agents: (written.agents ?? []).map(normalizeFleetAgent),
    notifiers: normalizeNotifiers(written.notifiers ?? {}),
    notificationRouting: normalizeRouting(written.notificationRouting ?? {}),
    plugins: (written.plugins ?? []).map((entry) => normalizeExternal(entry, context)),
    hooks: normalizeHooks(written.hooks ?? {}, context),
    power: { preventIdleSleep: written.power?.preventIdleSleep ?? null },
    dashboard: normalizeDashboard(written.dashboard ?? {}, context),
    webhooks: { url: written.webhooks?.url?.replace(/\/+$/, "") ?? null },
    lifecycle: {
      autoCleanupOnMerge: written.lifecycle?.autoCleanupOnMerge ?? true,
      hibernateAfterMs: hibernateAfterMs(written.lifecycle?.hibernateAfter),
      polling: {
        runningMs: polling?.running === undefined ? FIGURES.pollingRunningMs : durationMs(polling.running),
        quietMs: polling?.quiet === undefined ? FIGURES.pollingQuietMs : durationMs(polling.quiet),
        idleMs: polling?.idle === undefined ? FIGURES.pollingIdleMs : durationMs(polling.idle),
      },
    },
  };
}

function normalizeDashboard(
  { allowedHosts = [], tls, trustedProxies = [] }: NonNullable<WrittenConfig["dashboard"]>,
  context: ResolvePath,
): DashboardConfig {
  const resolved = (path: string): string => resolveFrom(context.base, path, context);
  return {
    allowedHosts,
    tls: tls === undefined ? null : { cert: resolved(tls.cert), key: resolved(tls.key) },
    trustedProxies,
  };
}

function hibernateAfterMs(written: string | undefined): number | null {
  if (written === undefined) return FIGURES.hibernateAfterMs;
  return written === "never" ? null : durationMs(written);
}

function normalizeDefaults(written: NonNullable<WrittenConfig["defaults"]>): DefaultPlugins {
  return {
    runtime: written.runtime === undefined ? null : toPluginRef(written.runtime),
    agent: written.agent === undefined ? null : toPluginRef(written.agent),
    workspace: toPluginRef(written.workspace ?? "worktree"),
    tracker: toPluginRef(written.tracker ?? "local"),
    scm: toPluginRef(written.scm ?? "local"),
    notifiers: written.notifiers ?? null,
    terminal: written.terminal === undefined ? null : toPluginRef(written.terminal),
  };
}

function normalizeLimits(written: WrittenConfig): MachineLimits {
  const { limits = {}, orchestrator } = written;
  const fromOrchestrator = orchestrator?.maxParallelAgents ?? orchestrator?.max_parallel_agents;
  return {
    parallelAgents: limits.parallelAgents ?? fromOrchestrator ?? FIGURES.parallelAgents,
    perProject: limits.perProject ?? null,
    ciRuns: limits.ciRuns ?? null,
    reruns: limits.reruns ?? FIGURES.reruns,
    memoryBytes: limits.memory === undefined ? null : sizeBytes(limits.memory),
    load: limits.load ?? null,
    costPerSession: limits.costPerSession ?? null,
    costPerTask: limits.costPerTask ?? null,
    costPerDay: limits.costPerDay ?? null,
  };
}

function normalizePrices(written: NonNullable<WrittenConfig["prices"]>): Prices {
  const entries = Object.entries(written).map(([model, { input, cachedInput = input, output }]) => {
    return [model, { input, cachedInput, output }] as const;
  });
  return Object.fromEntries(entries);
}

function normalizeFleetAgent(written: NonNullable<WrittenConfig["agents"]>[number]): FleetAgent {
  const { skills = [], ...config } = written.config ?? {};
  const agent = written.tool === undefined ? null : toPluginRef(written.tool);
  return {
    id: written.id,
    runtime: written.runtime === undefined ? null : toPluginRef(written.runtime),
    agent: agent === null ? null : { plugin: agent.plugin, config: { ...agent.config, ...config } },
    skills,
    labels: written.filters?.labels ?? [],
    excludeLabels: written.filters?.excludeLabels ?? written.filters?.exclude_labels ?? [],
  };
}

function normalizeNotifiers(written: NonNullable<WrittenConfig["notifiers"]>): Record<string, PluginRef> {
  const entries = Object.entries(written).map(([id, { plugin = id, ...config }]) => [id, { plugin, config }] as const);
  return Object.fromEntries(entries);
}

function normalizeRouting(
  written: NonNullable<WrittenConfig["notificationRouting"]>,
): MachineConfig["notificationRouting"] {
  return Object.fromEntries(Object.entries(written).filter(([, names]) => names !== undefined));
}

/** A string that looks like a path is one, otherwise a package name. */
function normalizeExternal(
  written: NonNullable<WrittenConfig["plugins"]>[number],
  context: ResolvePath,
): ExternalPlugin {
  const entry =
    typeof written === "string" ? (/^[./~]/.test(written) ? { path: written } : { package: written }) : written;
  const { name, version, enabled, ...source } = { name: undefined, version: undefined, enabled: undefined, ...entry };
  return {
    name: name ?? null,
    source:
      source.path === undefined
        ? { kind: "npm", package: version === undefined ? `${source.package}` : `${source.package}@${version}` }
        : { kind: "path", path: resolveFrom(context.base, source.path, context) },
    enabled: enabled ?? true,
  };
}
