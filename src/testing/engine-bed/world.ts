import type { Agent } from "../../ports/agent.ts";
import type { Host } from "../../ports/host.ts";
import type { Notifier } from "../../ports/notifier.ts";
import type { Runtime } from "../../ports/runtime.ts";
import type { Scm } from "../../ports/scm.ts";
import type { Tracker } from "../../ports/tracker.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { createFakeClock, type FakeClock } from "../fake-clock.ts";
import { createFakeAgent } from "../fakes/agent.ts";
import { createFakeForge, type FakeForge } from "../fakes/forge.ts";
import { createFakeMachine, type FakeMachine } from "../fakes/host.ts";
import { createFakeNotifier, type NotifierWorld } from "../fakes/notifier.ts";
import { createFakeRepository, type FakeRepository } from "../fakes/repository.ts";
import { createFakeRuntime, type RuntimeWorld } from "../fakes/runtime.ts";
import { createFakeScm, type ScmWorld } from "../fakes/scm.ts";
import { type Script, scripted } from "../fakes/scripted.ts";
import { createFakeTracker, type TrackerWorld } from "../fakes/tracker.ts";
import { createFakeWorkspace, type WorkspaceWorld } from "../fakes/workspace.ts";
import { createDiaryAgent, type DiaryEntry } from "./diary-agent.ts";

/** The proxies of sandboxes. */
export interface Gate {
  /** Starts a proxy. */
  open(runDir: string, hosts: readonly string[] | null): Promise<void>;
  /** False: the proxy does not confirm it. */
  restrict(runDir: string, hosts: readonly string[] | null): Promise<boolean>;
}

export interface GateWorld {
  readonly gate: Gate;
  /** The only hosts that each run reaches, by its folder; null or absent: those of its sandbox. */
  readonly limits: Map<string, readonly string[] | null>;
  /** Do running proxies obey? Those of an older version do not. */
  isObeying: boolean;
}

export interface Ports {
  readonly gate: Gate;
  readonly runtime: Runtime;
  readonly agent: Agent;
  readonly workspace: Workspace;
  readonly scm: Scm;
  readonly tracker: Tracker;
  readonly notifier: Notifier;
}

/** Everything outside the daemon, in memory: it survives a daemon's death. */
export interface BedWorld {
  readonly clock: FakeClock;
  readonly machine: FakeMachine;
  readonly repository: FakeRepository;
  readonly runtime: RuntimeWorld;
  readonly workspace: WorkspaceWorld;
  readonly scm: ScmWorld;
  /** null: pull requests are local. */
  readonly forge: FakeForge | null;
  /** Where pull requests are until the project moves to its forge, with the next daemon; null: it does not move. */
  readonly before: { readonly scm: Scm; isOver: boolean } | null;
  readonly tracker: TrackerWorld;
  readonly notifier: NotifierWorld;
  readonly gate: GateWorld;
  /** Each message the agent got, in order. */
  readonly diary: readonly DiaryEntry[];
  /** The commands of rules that ran, in order. */
  readonly commands: readonly string[];
  /** The ports as the daemon gets them; their scripts make the next call fail, wait or lose its answer. */
  readonly ports: Ports;
  readonly scripts: { readonly [K in Exclude<keyof Ports, "agent" | "gate">]: Script<Ports[K]> };
}

export interface BedWorldOptions {
  readonly input?: "inbox" | "file" | "terminal";
  /** Pull requests are on a remote forge; `later`: once the project has moved there. */
  readonly isRemote?: boolean | "later";
}

/** A world with a repository, a tracker without issues, and an agent that keeps a diary. */
export function createBedWorld({ input = "inbox", isRemote = false }: BedWorldOptions = {}): BedWorld {
  const clock = createFakeClock(1_700_000_000_000);
  const commands: string[] = [];
  const machine = createFakeMachine({ clock, exec: recordTo(commands) });
  const repository = createFakeRepository();
  const runtime = createFakeRuntime(machine, input === "terminal" ? "terminal" : "pipes");
  const workspace = createFakeWorkspace(machine.host.fs, repository);
  const onForge = isRemote !== false ? createFakeForge(machine.host, repository) : null;
  const scm = onForge ?? createFakeScm(machine.host, repository);
  const tracker = createFakeTracker();
  const notifier = createFakeNotifier();
  const gate = createFakeGate();
  const { program, diary } = createDiaryAgent({ fs: machine.host.fs, repository, workspace, limits: gate.limits });
  runtime.programs.set("agent", program);
  const parts = {
    runtime: scripted(runtime.runtime),
    workspace: scripted(workspace.workspace),
    scm: scripted(scm.scm),
    tracker: scripted<Tracker>(tracker.tracker),
    notifier: scripted(notifier.notifier),
  };
  const { terminal } = runtime.runtime;
  return {
    clock,
    machine,
    repository,
    runtime,
    workspace,
    scm,
    forge: onForge?.forge ?? null,
    before: isRemote === "later" ? { scm: createFakeScm(machine.host, repository).scm, isOver: false } : null,
    tracker,
    notifier,
    gate,
    diary,
    commands,
    ports: {
      gate: gate.gate,
      agent: createFakeAgent(input === "file" ? { input } : {}),
      runtime: terminal === undefined ? parts.runtime.port : { ...parts.runtime.port, terminal },
      workspace: parts.workspace.port,
      scm: parts.scm.port,
      tracker: parts.tracker.port,
      notifier: parts.notifier.port,
    },
    scripts: {
      runtime: parts.runtime.script,
      workspace: parts.workspace.script,
      scm: parts.scm.script,
      tracker: parts.tracker.script,
      notifier: parts.notifier.script,
    },
  };
}

function recordTo(commands: string[]): Host["exec"] {
  return async ({ args }) => {
    commands.push(args.at(-1) ?? "");
    return { code: 0, stdout: "", stderr: "" };
  };
}

function createFakeGate(): GateWorld {
  const world: GateWorld = {
    limits: new Map(),
    isObeying: true,
    gate: {
      open: async (runDir, hosts) => void world.limits.set(runDir, hosts),
      restrict: async (runDir, hosts) => {
        if (world.isObeying) world.limits.set(runDir, hosts);
        return world.isObeying;
      },
    },
  };
  return world;
}
