import type { MachineConfig, ProjectConfig } from "../config/config.ts";
import { DEFAULT_REACTIONS } from "../config/default-reactions.ts";
import { FIGURES } from "../config/figures.ts";
import type { BudgetLimits, CheckRule, ProjectPolicy } from "../core/policy.ts";
import type { ProjectState } from "../core/project/state.ts";
import type { Host } from "../ports/host.ts";
import { detectProjectChecks } from "./detect-checks.ts";
import { heldRuleOf } from "./held-rule.ts";
import type { Kernel } from "./kernel.ts";
import { routingOf } from "./notifiers.ts";

/** Applies the configured checks, reactions, merging, notices and prices, as events of the log. */
export async function adoptPolicies(kernel: Kernel): Promise<void> {
  const { engine, configs, host } = kernel;
  const world = engine.loop.world.view;
  const machine = await configs.machine(world.projects());
  for (const project of world.projects()) {
    if (project.removed) continue;
    const config = await configs.configOf(project);
    // A file that was never valid is ignored; what was in force stays.
    if (config === undefined && project.policy !== null) continue;
    const policy = await toPolicy(host, project, config, machine);
    await engine.submit({ input: { type: "project.policy", id: project.id, policy } });
  }
  if (machine === null) return;
  await engine.submit({ input: { type: "fleet.routing", routing: await routingOf(kernel, machine) } });
  await engine.submit({ input: { type: "fleet.prices", prices: machine.prices } });
}

/** What applies to a project: its configuration, or the defaults. */
export async function toPolicy(
  host: Host,
  project: Pick<ProjectState, "path">,
  config: ProjectConfig | undefined,
  machine: MachineConfig | null,
): Promise<ProjectPolicy> {
  const written = config?.checks ?? null;
  const scm = config?.scm ?? { plugin: "local", config: {} };
  const checks = written ?? (scm.plugin === "local" ? await detected(host, project) : {});
  const reactions = config?.reactions ?? DEFAULT_REACTIONS;
  const train = config === undefined ? { batch: FIGURES.trainBatch } : config.train;
  return {
    openPullRequest: config?.openPullRequest ?? "auto",
    // A remote forge runs its own checks and reports them.
    checks,
    reactions,
    merging: config?.policies ?? NO_POLICIES,
    scm,
    mainGuard: config?.mainGuard ?? FIGURES.mainGuard,
    // A remote forge merges by its own rules, so the exact result cannot be checked first.
    ...(train === null || scm.plugin !== "local" ? {} : { train }),
    cleanUpAfterMerge: machine?.lifecycle.autoCleanupOnMerge ?? true,
    budget: budgetOf(config, machine),
    reruns: config?.limits.reruns ?? machine?.limits.reruns ?? FIGURES.reruns,
    ...(config === undefined ? {} : { trust: config.trust }),
    ...hooksOf(machine),
    held: await heldRuleOf(host, project.path, { config, machine, checks, reactions }),
    hibernateAfterMs: machine === null ? FIGURES.hibernateAfterMs : machine.lifecycle.hibernateAfterMs,
  };
}

function hooksOf(machine: MachineConfig | null): Pick<ProjectPolicy, "hooks"> {
  return machine === null || Object.keys(machine.hooks).length === 0 ? {} : { hooks: machine.hooks };
}

// A day's limit of the machine is for all projects together; one of the project's own is for it alone.
function budgetOf(config: ProjectConfig | undefined, machine: MachineConfig | null): BudgetLimits {
  const { costPerSession = null, costPerTask = null, costPerDay = null } = config?.limits ?? {};
  const inAll = machine?.limits.costPerDay ?? null;
  return {
    perSession: costPerSession,
    perTask: costPerTask,
    perDay: costPerDay === inAll ? null : costPerDay,
    perDayInAll: inAll,
  };
}

async function detected(host: Host, project: Pick<ProjectState, "path">): Promise<Readonly<Record<string, CheckRule>>> {
  const found = await detectProjectChecks(host, project.path);
  const rest = { setup: null, timeoutMs: FIGURES.checkTimeoutMs, required: true, on: ["pr"] as const };
  return Object.fromEntries(Object.entries(found).map(([name, { run }]) => [name, { run, ...rest }]));
}

const NO_POLICIES: ProjectPolicy["merging"] = {
  approvals: FIGURES.approvals,
  checks: [],
  paths: {},
  maxFiles: null,
  maxLines: null,
  blockLabels: [],
  quietHours: null,
  rules: [],
};
