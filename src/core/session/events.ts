import type { CommandEvent } from "../command/command-run.ts";
import type { UsedReport } from "../cost/usage.ts";
import type { IntentEvent } from "../intent.ts";
import type { PluginUse } from "../plugin-use.ts";
import type { PartlyAsked } from "../question.ts";
import type { ProblemEvent } from "../reaction/problem.ts";
import type { UntrustedEvent } from "../reaction/untrusted.ts";
import type { Landed, StackedOn } from "../stack/parent.ts";
import type { StoredText } from "../text.ts";
import type { AgentInput, CallerShell, LineCount, Message, SessionState, Uncommitted } from "./state.ts";

/** Everything that can have happened to a session. docs/lifecycle.md has a row for each. */
export type SessionEvent =
  | {
      readonly type: "session.requested";
      readonly id: string;
      readonly projectId: string;
      readonly taskKey: string;
      readonly issue: string | null;
      readonly title: string;
      readonly role: SessionState["role"];
      readonly agent: PluginUse;
      readonly runtime: PluginUse;
      readonly workspace: PluginUse;
      readonly input: AgentInput;
      readonly branch: string;
      readonly base: string | null;
      readonly folder: string;
      /** Random: the marks of blocks in messages to its agent follow from it; absent in older logs. */
      readonly markSeed?: string;
      readonly shell?: CallerShell;
      /** The pull request that it reviews. */
      readonly reviewOf?: string;
      /** The work of another session that it builds on. */
      readonly stackedOn?: StackedOn;
    }
  /** What it builds on is merged, or a person moved its pull request to the default branch. */
  | { readonly type: "session.retargeted"; readonly landed?: Landed }
  | { readonly type: "session.admitted" }
  | { readonly type: "session.stop-requested"; readonly reason: string }
  | { readonly type: "session.stopped" }
  | { readonly type: "session.restore-requested"; readonly shell?: CallerShell }
  | { readonly type: "session.moved"; readonly runtime: PluginUse }
  | { readonly type: "session.archived" }
  | { readonly type: "session.unarchived" }
  | { readonly type: "workspace.creating"; readonly generation: number }
  | {
      readonly type: "workspace.created";
      readonly generation: number;
      readonly path: string;
      readonly branch: string;
      readonly head: string;
      readonly baseCommit: string;
      readonly restoredFrom: string | null;
      readonly notes: readonly string[];
    }
  | { readonly type: "workspace.failed"; readonly generation: number; readonly reason: string }
  | {
      readonly type: "workspace.vanished";
      readonly generation: number;
      readonly what: "missing" | "branch-missing";
      readonly evidence: string;
    }
  | { readonly type: "workspace.reappeared"; readonly generation: number }
  /** It has another branch or commit checked out than its own branch. */
  | { readonly type: "workspace.branch-left"; readonly generation: number; readonly on: string }
  | { readonly type: "workspace.branch-returned"; readonly generation: number }
  /** Its folder is at another path, because the repository was moved. */
  | { readonly type: "workspace.relocated"; readonly generation: number; readonly path: string }
  | { readonly type: "workspace.removed"; readonly generation: number; readonly preservedRef: string | null }
  | { readonly type: "workspace.kept"; readonly generation: number; readonly reason: string }
  | {
      readonly type: "run.starting";
      readonly run: number;
      readonly messageId: string | null;
      /** The only hosts it reaches, because its session has read untrusted text; absent: those of its sandbox. */
      readonly onlyHosts?: readonly string[];
    }
  | { readonly type: "run.started"; readonly run: number; readonly pid: number }
  /** `ao` ends the run of an idle agent to free its memory. */
  | { readonly type: "run.hibernating"; readonly run: number }
  /** Its session has read untrusted text: from now on it reaches only these hosts; null: those of its sandbox again. */
  | { readonly type: "run.network-restricted"; readonly run: number; readonly hosts: readonly string[] | null }
  /** Its proxy did not confirm the hosts, so the run is ended; the next one starts with them. */
  | { readonly type: "run.restrict-failed"; readonly run: number; readonly reason: string }
  | { readonly type: "run.end-failed"; readonly run: number; readonly reason: string }
  | { readonly type: "run.ended"; readonly run: number; readonly code: number | null; readonly evidence: string }
  | {
      readonly type: "message.queued";
      readonly id: string;
      readonly kind: Message["kind"];
      readonly replyTo: string | null;
      readonly text: StoredText;
      readonly bytes: number;
      /** The key of the rule it comes from; absent: a person or the task. */
      readonly about?: string;
    }
  | { readonly type: "message.started"; readonly id: string; readonly run: number; readonly attempt: number }
  | { readonly type: "message.written"; readonly id: string; readonly run: number }
  | { readonly type: "message.held"; readonly id: string; readonly reason: string; readonly notBefore: number }
  /** The agent has it and waits for something before it starts on it. */
  | { readonly type: "message.waiting"; readonly id: string; readonly reason: string }
  | { readonly type: "message.accepted"; readonly id: string; readonly by: "received" | "done" | "exit" }
  | { readonly type: "message.returned"; readonly id: string; readonly reason: string }
  | { readonly type: "message.unknown"; readonly id: string; readonly reason: string }
  | { readonly type: "message.failed"; readonly id: string; readonly reason: string }
  | { readonly type: "message.withdrawn"; readonly id: string; readonly reason: string }
  | { readonly type: "agent.reported"; readonly state: "working" | "idle" | "waiting"; readonly note: string | null }
  | ({ readonly type: "agent.asked"; readonly id: string; readonly run: number } & PartlyAsked)
  | { readonly type: "question.withdrawn"; readonly id: string }
  | {
      readonly type: "agent.answered";
      readonly questionId: string;
      readonly choice: string;
      readonly messageId: string;
    }
  | ({ readonly type: "agent.used" } & UsedReport)
  | { readonly type: "agent.finished"; readonly summary: string }
  /** `cause` absent: a limit. */
  | {
      readonly type: "agent.limited";
      readonly until: number | null;
      readonly reason: string;
      readonly cause?: "outage";
    }
  | { readonly type: "agent.errored"; readonly reason: string }
  /** Its sandbox has a host list that does not include this one. */
  | { readonly type: "agent.host-refused"; readonly host: string }
  | { readonly type: "agent.path-refused"; readonly path: string }
  /** Without `resumes`, as in older logs, it is unknown whether a later process can continue it. */
  | { readonly type: "conversation.known"; readonly id: string; readonly resumes?: true }
  /** It printed something that is not a message to `ao`; recorded at most once a minute. */
  | { readonly type: "agent.output-seen" }
  | {
      readonly type: "branch.seen";
      readonly turn: number;
      readonly head: string;
      readonly ahead: number;
      /** null: none; absent: not checked, as in older logs. */
      readonly uncommitted?: Uncommitted | null;
      /** Absent: not counted, as in older logs. */
      readonly lines?: LineCount;
    }
  | {
      readonly type: "change.open-requested";
      readonly title: string;
      readonly body: StoredText | null;
      readonly by: string;
    }
  | {
      readonly type: "change.open-failed";
      readonly head: string;
      readonly reason: string;
      readonly notBefore: number;
    }
  | ProblemEvent
  | CommandEvent
  | UntrustedEvent
  | IntentEvent;
