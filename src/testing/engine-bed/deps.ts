import type { ChangeState } from "../../core/change/state.ts";
import type { ProjectPolicy } from "../../core/policy.ts";
import type { ProjectState } from "../../core/project/state.ts";
import type { SessionState } from "../../core/session/state.ts";
import type { StoredText } from "../../core/text.ts";
import type { EngineDeps } from "../../engine/engine.ts";
import type { EffectDeps } from "../../engine/executor.ts";
import type { Host } from "../../ports/host.ts";
import type { Notice } from "../../ports/notifier.ts";
import type { Store } from "../../ports/store.ts";
import { createMemoryStore } from "../memory-store.ts";
import type { BedWorld, Ports } from "./world.ts";

export const REPO = "/repo";

/** What the composition root would pass to the engine, with these ports. */
export function createBedDeps(host: Host, ports: Ports, store: Store): EngineDeps["effects"] {
  const project = { id: "demo", path: REPO, defaultBranch: "main" };
  return {
    host,
    homeMark: "bed",
    scmOf: () => ports.scm,
    scmProjectOf: () => project,
    trackerOf: async () => ports.tracker,
    notifierOf: async () => ports.notifier,
    checkDir: (...attempt) => `/home/checks/${attempt.join("/")}`,
    projectEnvironment: async () => ({ HOME: "/home" }),
    keepText: async (text) => ({ inline: text }),
    workspaceOf: () => ports.workspace,
    projectOf: () => project,
    runtimeOf: () => ports.runtime,
    agentOf: () => ports.agent,
    briefOf: async (session) => `You work on ${session.branch}.`,
    briefFile: (sessionId, run) => `/home/sessions/${sessionId}/brief-${run}.md`,
    environmentOf: async () => ({ HOME: "/home" }),
    enclose: async (_session, { argv, runDir, onlyHosts }) => {
      await ports.gate.open(runDir, onlyHosts ?? null);
      return argv;
    },
    encloserOf: () => undefined,
    encloseCommand: async ({ argv }) => argv,
    restrictNetwork: (runDir, hosts) => ports.gate.restrict(runDir, hosts),
    dropTemp: async () => undefined,
    prepare: async () => undefined,
    runDir: (sessionId, run) => `/home/sessions/${sessionId}/runs/${run}`,
    textOf: (text) => textOf(store, text),
  };
}

async function textOf(store: Store, text: StoredText): Promise<string> {
  if ("inline" in text) return text.inline;
  if ("join" in text) return (await Promise.all(text.join.map((piece) => textOf(store, piece)))).join("");
  return (await store.getBlob(text.blob)) ?? "";
}

export interface ExecutorFacts {
  readonly session?: SessionState;
  readonly change?: ChangeState;
  readonly project?: ProjectState;
  readonly policy?: ProjectPolicy;
  readonly notices?: readonly Notice[];
}

/** For table tests of one executor: its dependencies in a world, with these states instead of an engine's. */
export function depsFor(world: BedWorld, facts: ExecutorFacts): EffectDeps & { readonly ended: readonly string[] } {
  const ended: string[] = [];
  return {
    ...createBedDeps(world.machine.host, world.ports, createMemoryStore()),
    ended,
    session: (id) => (facts.session?.id === id ? facts.session : undefined),
    change: (key) => (facts.change?.key === key ? facts.change : undefined),
    openChanges: () => (facts.change === undefined ? [] : [facts.change]),
    lastNumber: () => facts.change?.number ?? 0,
    project: (id) => (facts.project?.id === id ? facts.project : undefined),
    policyOf: () => facts.policy ?? null,
    notices: (ids) => (facts.notices ?? []).filter(({ id }) => ids.includes(id)),
    noteCheckPhase: () => undefined,
    recordRunEnd: async (sessionId, run) => {
      ended.push(`${sessionId}/${run}`);
    },
    faultPoint: () => undefined,
  };
}
