import type { CheckAttempt, CheckPhase } from "../core/change/progress.ts";
import type { ChangeState } from "../core/change/state.ts";
import type { CheckSandbox } from "../core/check-sandbox.ts";
import type { IntentKind, IntentOutcome, IntentSpec } from "../core/intent.ts";
import type { ProjectPolicy } from "../core/policy.ts";
import type { ProjectState } from "../core/project/state.ts";
import type { SessionState } from "../core/session/state.ts";
import type { StoredText } from "../core/text.ts";
import type { Agent } from "../ports/agent.ts";
import type { Host } from "../ports/host.ts";
import type { Notice, Notifier } from "../ports/notifier.ts";
import type { RunRef, Runtime } from "../ports/runtime.ts";
import type { Scm, ScmProject } from "../ports/scm.ts";
import type { CheckCommand } from "../ports/scm-check.ts";
import type { Tracker } from "../ports/tracker.ts";
import type { EncloseCommand, Workspace, WorkspaceProject } from "../ports/workspace.ts";

/** A program that may have to run in a sandbox. */
export interface EnclosedProgram {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly runDir: string;
  /** The only hosts of its sandbox's list that it may reach; absent: all of them. */
  readonly onlyHosts?: readonly string[];
}

/** A command of a project's own, to be run in a sandbox with what only its sandboxed programs share. */
export interface EnclosedCommand extends CheckCommand {
  readonly projectId: string;
  readonly sandbox: CheckSandbox;
  readonly environment: Readonly<Record<string, string>>;
}

/** What executors and observers may use; provided by the composition root. */
export interface EffectDeps {
  readonly host: Host;
  /** Distinguishes the processes of this AO_HOME from those of another; the same after a restart. */
  readonly homeMark: string;
  session(id: string): SessionState | undefined;
  change(key: string): ChangeState | undefined;
  /** The highest pull request number of the project in the log; 0: none. */
  lastNumber(projectId: string): number;
  project(id: string): ProjectState | undefined;
  /** Open pull requests of a project. */
  openChanges(projectId: string): readonly ChangeState[];
  policyOf(projectId: string): ProjectPolicy | null;
  scmOf(projectId: string): Scm;
  scmProjectOf(projectId: string): ScmProject;
  trackerOf(projectId: string): Promise<Tracker>;
  /** Rejects if no notifier with this name is configured, or its plugin is unavailable. */
  notifierOf(name: string): Promise<Notifier>;
  /** Notices that are still waiting, in the order of the ids. */
  notices(ids: readonly string[]): readonly Notice[];
  /** The folder of one attempt of a check. */
  checkDir(changeKey: string, check: string, head: string, attempt: number): string;
  /** The current phase of a running check; null: it is over. */
  noteCheckPhase(attempt: CheckAttempt, phase: CheckPhase | null): void;
  /** The environment of the project's own commands: checks, hooks, `postCreate` and `preRemove`. */
  projectEnvironment(projectId: string, sessionId: string | null): Promise<Readonly<Record<string, string>>>;
  /** Stores a text separately if it is long. */
  keepText(text: string): Promise<StoredText>;
  workspaceOf(session: SessionState): Workspace;
  projectOf(session: SessionState): WorkspaceProject;
  /** The runtime of its last run, from the start of that run on. */
  runtimeOf(session: SessionState): Runtime;
  agentOf(session: SessionState): Agent;
  /** The standing instructions for a run of this session: workspace, checks, how to ask, the project's rules. */
  briefOf(session: SessionState, run: number): Promise<string>;
  /** The file of a run's brief; its agent can read it there, even in a sandbox. */
  briefFile(sessionId: string, run: number): string;
  /** The whole environment of the agent's process. */
  environmentOf(session: SessionState): Promise<Readonly<Record<string, string>>>;
  /** The arguments of a run's program, after those of the sandbox that its settings require. */
  enclose(session: SessionState, program: EnclosedProgram): Promise<readonly string[]>;
  /** Starts a project's own command in a session's workspace, in the session's sandbox; undefined: it has none. */
  encloserOf(session: SessionState): EncloseCommand | undefined;
  /** The arguments of a check's command, after those of its sandbox. */
  encloseCommand(command: EnclosedCommand): Promise<readonly string[]>;
  /** Changes the hosts that a running sandbox reaches; returns once its proxy enforces that. False: it does not. */
  restrictNetwork(runDir: string, hosts: readonly string[] | null): Promise<boolean>;
  /** Removes the session's temporary folder, if any. */
  dropTemp(sessionId: string): Promise<void>;
  /** Reads the project's current settings, before an effect relies on `projectOf`. */
  prepare(session: SessionState): Promise<void>;
  runDir(sessionId: string, run: number): string;
  textOf(text: StoredText): Promise<string>;
  /** Reads a finished run's output to the end and records how it ended. */
  recordRunEnd(sessionId: string, run: number): Promise<void>;
  /** For crash tests: a place inside an effect. */
  faultPoint(detail: string): void;
}

export type Reconciled =
  | { readonly kind: "done"; readonly outcome: IntentOutcome }
  | { readonly kind: "not-done" }
  | { readonly kind: "unknown"; readonly reason: string };

export type SpecOf<K extends IntentKind> = Extract<IntentSpec, { readonly kind: K }>;

/** One kind of effect: perform it, and after a crash find out whether it was performed. */
export interface Executor<K extends IntentKind> {
  execute(spec: SpecOf<K>, intentId: string, deps: EffectDeps): Promise<IntentOutcome>;
  reconcile(spec: SpecOf<K>, intentId: string, deps: EffectDeps): Promise<Reconciled>;
  /** Its processes keep running without the daemon (an agent's run), so reconciling does not end them first. */
  readonly survivesDaemon: boolean;
  /** How many of this kind may run at once. */
  readonly concurrency: number;
}

export type Executors = { readonly [K in IntentKind]: Executor<K> };

/** The session of an effect; it cannot be absent, because the intent was recorded in its stream. */
export function requireSession(deps: EffectDeps, id: string): SessionState {
  const session = deps.session(id);
  if (session === undefined) throw new Error(`intent for the unknown session ${id}`);
  return session;
}

/** The change of an effect. */
export function requireChange(deps: EffectDeps, key: string): ChangeState {
  const change = deps.change(key);
  if (change === undefined) throw new Error(`intent for the unknown change ${key}`);
  return change;
}

/** The run folder and name of a session's run. */
export function runRef(deps: EffectDeps, sessionId: string, run: number): RunRef {
  return { sessionId, run, runDir: deps.runDir(sessionId, run) };
}
