import type { ProjectPolicy } from "../core/policy.ts";
import type { ProjectState } from "../core/project/state.ts";
import type { World } from "../core/world.ts";
import type { HostFs } from "../ports/host.ts";
import type { RunOutput } from "../ports/run-output.ts";
import type { Store, StoredEvent } from "../ports/store.ts";
import type { ConfigTextBody } from "../protocol/bodies/config.ts";
import type { TrainBody } from "../protocol/bodies/daemon.ts";
import type { AddProjectBody } from "../protocol/bodies/project.ts";
import type { CreateSessionBody, RestoreBody } from "../protocol/bodies/session.ts";
import type { RuntimeName } from "../protocol/choices.ts";
import type { HealthView } from "../protocol/views/daemon.ts";
import type { AddedProjects } from "../protocol/views/project.ts";
import type { OutputView } from "../protocol/views/session.ts";
import type { CallContext } from "./call-context.ts";
import type { PullRequestActions } from "./pull-request-actions.ts";

export interface CreatedSession {
  readonly sessionId: string;
  /** Notes for the caller on how the request was understood. */
  readonly notes: readonly string[];
}

/** The result of registering a folder. */
export interface AddedProject extends Omit<AddedProjects, "data"> {
  readonly projects: readonly ProjectState[];
}

/** The rules of a project before and after an edit of its configuration. */
export interface EditedRules {
  readonly before: ProjectPolicy;
  readonly after: ProjectPolicy;
}

/** What the server reads from the engine. It cannot write: every write is one of the actions below. */
export interface EngineView {
  readonly world: World;
  /** Position of the last event in the log. */
  lastPosition(): number;
  /** Changes whenever the world may look different, apart from the passing of time. */
  revision(): number;
  /** What works and still needs a look, a sentence each. */
  warnings(): readonly string[];
  /** Calls back after each commit with its events; returns a function that unsubscribes. */
  subscribe(onCommit: (events: readonly StoredEvent[]) => void): () => void;
  /** Calls back when an agent reports something that is not an event; returns a function that unsubscribes. */
  onReport(onReport: (sessionId: string) => void): () => void;
  /** Inspects a session's workspace and branch now, so that an answer is not older than its question. */
  refresh(sessionId: string): Promise<void>;
  /** Waits for a condition on the world; false on timeout. */
  waitUntil(limitMs: number, isTrue: () => boolean): Promise<boolean>;
}

/**
 * invalid: the last valid text is in force. held: the last one that a person accepted. undecided: this one is, without some of its
 * rules.
 */
export interface ConfigProblem {
  readonly kind: "invalid" | "held" | "undecided";
  readonly text: string;
}

/** The operations that the composition root provides to the server. */
export interface Actions {
  readonly engine: EngineView;
  readonly store: Store;
  readonly pullRequests: PullRequestActions;
  health(): HealthView;
  createSession(body: CreateSessionBody, context: CallContext): Promise<CreatedSession>;
  sendMessage(sessionId: string, content: string, context: CallContext): Promise<{ readonly messageId: string }>;
  answer(
    sessionId: string,
    given: { readonly choice: string; readonly questionId?: string | undefined },
    context: CallContext,
  ): Promise<{ readonly messageId: string; readonly choice: string }>;
  /** Cancels a message that has not been sent yet. */
  cancelMessage(sessionId: string, messageId: string, context: CallContext): Promise<void>;
  /** Hides an inbox item until a given time, or until it changes. */
  snooze(
    item: {
      readonly id: string;
      readonly projectId: string;
      readonly occurrence: string;
      readonly until: number;
    },
    context: CallContext,
  ): Promise<void>;
  interrupt(sessionId: string, context: CallContext): Promise<{ readonly messageId: string }>;
  /** Commits what its agent left; `now`: even while it works. */
  commit(
    sessionId: string,
    request: { readonly message: string; readonly now: boolean },
  ): Promise<{ readonly head: string; readonly files: number }>;
  /** `wait`: until it is stopped. */
  stopSession(sessionId: string, options: { readonly wait: boolean }, context: CallContext): Promise<void>;
  /** `now`: ignores the limits; `wait`: until its workspace is ready, failed or queued. */
  restoreSession(sessionId: string, body: RestoreBody, context: CallContext): Promise<void>;
  moveSession(sessionId: string, runtime: RuntimeName, context: CallContext): Promise<void>;
  /** The output of its agent's program, after a cursor or from about this many bytes before the end. */
  readOutput(sessionId: string, query: { readonly cursor?: string; readonly last?: number }): Promise<OutputView>;
  /** Where a run's output is. */
  readonly runFiles: {
    readonly fs: Pick<HostFs, "watch">;
    runDir(sessionId: string, run: number): string;
    output(sessionId: string): RunOutput;
  };
  addProject(body: AddProjectBody, context: CallContext): Promise<AddedProject>;
  removeProject(projectId: string, context: CallContext): Promise<void>;
  /** Pauses or resumes one project, or everything. */
  /** Pauses, resumes or reorders the merge train of a project. */
  steerTrain(projectId: string, body: TrainBody, context: CallContext): Promise<void>;
  setPaused(isPaused: boolean, projectId: string | null, context: CallContext): Promise<void>;
  /** The rules of each project that a configuration text lists; throws `config-invalid`. */
  rulesOfText(text: string): Promise<ReadonlyMap<string, ProjectPolicy>>;
  /** The rules of each project with a configuration file as it is, and as edited; throws `config-invalid`. */
  rulesOfEdit(edit: ConfigTextBody): Promise<ReadonlyMap<string, EditedRules>>;
  projectNotes(projectId: string): readonly string[];
  /** Why a project's configuration file as it is now is not in force, or not all of it; null: it is. */
  projectProblem(projectId: string): ConfigProblem | null;
  shutdown(options: { readonly sessions: boolean }): void;
}
