import { DEFAULT_TRUST } from "../core/change/trust.ts";
import type { TrustPolicy } from "../core/policy.ts";
import { withoutCredentials } from "../core/without-credentials.ts";
import type {
  CheckConfig,
  Config,
  MachineConfig,
  PluginRef,
  PolicyConfig,
  ProjectConfig,
  ProjectLimits,
  QuietHours,
} from "./config.ts";
import { FIGURES } from "./figures.ts";
import { normalizeMachine } from "./normalize-machine.ts";
import { normalizeReactions } from "./normalize-reactions.ts";
import { type ResolvePath, resolveFrom } from "./paths.ts";
import { canonicalPermissions } from "./permissions.ts";
import { chooseRef, type WrittenRef, withRepository } from "./plugin-ref.ts";
import { durationMs } from "./schema/scalar.ts";
import type { WrittenConfig, WrittenProject } from "./schema.ts";
import { defaultPrefix } from "./session-prefix.ts";

/** Converts a valid file to the normalized form. */
export function normalize(written: WrittenConfig, context: ResolvePath): Config {
  const machine = normalizeMachine(written, context);
  const projects: Record<string, ProjectConfig> = {};
  for (const [id, project] of Object.entries(written.projects ?? {})) {
    projects[id] = normalizeProject(id, project, { written, machine, ...context });
  }
  return { machine, projects };
}

interface ProjectContext extends ResolvePath {
  readonly written: WrittenConfig;
  readonly machine: MachineConfig;
}

function normalizeProject(id: string, project: WrittenProject, context: ProjectContext): ProjectConfig {
  const { defaults } = context.machine;
  const path = resolveFrom(context.base, project.path ?? ".", context);
  const repo = project.repo === undefined ? undefined : withoutCredentials(project.repo);
  const { interface: agentInterface, ...agentConfig } = project.agentConfig ?? {};
  return {
    id,
    name: project.name ?? id,
    repo: repo ?? null,
    path,
    defaultBranch: project.defaultBranch ?? null,
    sessionPrefix: project.sessionPrefix ?? defaultPrefix(id),
    runtime: chooseRef(project.runtime, defaults.runtime),
    agent: mergeAgent(chooseRef(project.agent, defaults.agent), agentConfig),
    agentInterface: agentInterface ?? null,
    agentConfig: project.agentConfig ?? {},
    workspace: choose(project.workspace, defaults.workspace),
    tracker: withRepository(choose(project.tracker, defaults.tracker), repo),
    scm: withRepository(choose(project.scm, defaults.scm), repo),
    env: Object.fromEntries(Object.entries(project.env ?? {}).map(([name, value]) => [name, String(value)])),
    symlinks: project.symlinks ?? [],
    postCreate: toList(project.postCreate),
    preRemove: toList(project.preRemove),
    agentRules: project.agentRules ?? null,
    agentRulesFile: project.agentRulesFile === undefined ? null : resolveFrom(path, project.agentRulesFile, context),
    worktreeDir: project.worktreeDir === undefined ? null : resolveFrom(path, project.worktreeDir, context),
    gitIdentity: project.gitIdentity ?? "user",
    openPullRequest: project.openPullRequest ?? "auto",
    checks: normalizeChecks(project.checks),
    reactions: normalizeReactions(context.written, project.reactions),
    trust: normalizeTrust(project.trust, context.written.trust),
    policies: normalizePolicies({ ...context.written.policies, ...project.policies }),
    mainGuard: project.mainGuard ?? FIGURES.mainGuard,
    train: normalizeTrain(project.train),
    limits: normalizeLimits(project.limits ?? {}, context.machine.limits),
  };
}

// What a project leaves open, the machine's limits decide.
function normalizeLimits(own: NonNullable<WrittenProject["limits"]>, machine: MachineConfig["limits"]): ProjectLimits {
  return {
    perProject: own.perProject ?? machine.perProject,
    reruns: own.reruns ?? machine.reruns,
    costPerSession: own.costPerSession ?? machine.costPerSession,
    costPerTask: own.costPerTask ?? machine.costPerTask,
    costPerDay: own.costPerDay ?? machine.costPerDay,
  };
}

function choose(own: WrittenRef | undefined, fallback: PluginRef): PluginRef {
  return chooseRef(own, fallback) ?? fallback;
}

function mergeAgent(agent: PluginRef | null, settings: Readonly<Record<string, unknown>>): PluginRef | null {
  if (agent === null) return null;
  const config: Record<string, unknown> = { ...agent.config, ...settings };
  const { permissions } = config;
  if (typeof permissions === "string") config["permissions"] = canonicalPermissions(permissions);
  return { plugin: agent.plugin, config };
}

function toList(written: string | readonly string[] | undefined): readonly string[] {
  return typeof written === "string" ? [written] : (written ?? []);
}

function normalizeChecks(written: WrittenProject["checks"]): Readonly<Record<string, CheckConfig>> | null {
  if (written === undefined) return null;
  const entries = Object.entries(written).map(([name, check]): [string, CheckConfig] => [
    name,
    {
      run: check.run,
      setup: check.setup ?? null,
      timeoutMs: check.timeout === undefined ? FIGURES.checkTimeoutMs : durationMs(check.timeout),
      required: check.required ?? true,
      on: check.on ?? ["pr"],
      ...normalizeCheckSandbox(check.sandbox),
    },
  ]);
  return Object.fromEntries(entries);
}

function normalizeCheckSandbox(
  written: NonNullable<WrittenProject["checks"]>[string]["sandbox"],
): Pick<CheckConfig, "sandbox"> {
  if (written === undefined) return {};
  if (typeof written === "string") return { sandbox: written };
  const { network, writable } = written;
  return {
    sandbox: { ...(network === undefined ? {} : { network }), ...(writable === undefined ? {} : { writable }) },
  };
}

function normalizePolicies(written: NonNullable<WrittenConfig["policies"]>): PolicyConfig {
  return {
    approvals: written.approvals ?? FIGURES.approvals,
    checks: written.checks ?? [],
    paths: written.paths ?? {},
    maxFiles: written.maxFiles ?? null,
    maxLines: written.maxLines ?? null,
    blockLabels: written.blockLabels ?? [],
    quietHours: written.quietHours === undefined ? null : normalizeQuietHours(written.quietHours),
    rules: written.rules ?? [],
  };
}

function normalizeTrain({
  enabled = true,
  batch = FIGURES.trainBatch,
}: WrittenProject["train"] = {}): ProjectConfig["train"] {
  return enabled ? { batch } : null;
}

function normalizeTrust(own: WrittenConfig["trust"], global: WrittenConfig["trust"]): TrustPolicy {
  const written = own ?? global ?? {};
  if (typeof written === "string") return { ...DEFAULT_TRUST, from: written };
  const {
    from = DEFAULT_TRUST.from,
    allow = [],
    deny = [],
    autoMerge = DEFAULT_TRUST.autoMerge,
    push = true,
    network = true,
  } = written;
  const taken = { ...(push ? {} : { push }), ...(network === true ? {} : { network }) };
  return { from, allow, deny, autoMerge, ...taken };
}

function normalizeQuietHours(written: NonNullable<NonNullable<WrittenConfig["policies"]>["quietHours"]>): QuietHours {
  if (typeof written !== "string") return { from: written.from, to: written.to, timeZone: written.timeZone ?? null };
  const [hours = "", timeZone = null] = written.split(" ");
  const [from = "", to = ""] = hours.split("-");
  return { from, to, timeZone };
}
