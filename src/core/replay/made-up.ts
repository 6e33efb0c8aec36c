import type { ChangeEvent } from "../change/events.ts";
import { type Emitted, onChange, onProject, onSession } from "../event.ts";
import { mainChecks } from "../guard/guard.ts";
import { requiredChecks } from "../merge/blockers.ts";
import type { ProjectPolicy } from "../policy.ts";
import { eventOfKey, fieldsOfKey, isOnChange } from "../reaction/event-keys.ts";
import { REACTION_KEYS } from "../reaction/reaction-keys.ts";
import type { SessionEvent } from "../session/events.ts";
import type { Scene } from "./scene.ts";

/** What a made-up event says where the standard would not do: `{ label: "needs-tests" }`. */
export type MadeUpFacts = Readonly<Record<string, string>>;

/** The events that a rule with this key is about, made up. */
export function makeUp(key: string, scene: Scene, facts: MadeUpFacts): readonly Emitted[] {
  const onPull = ON_PULL_REQUEST[key];
  if (onPull !== undefined) return onChange(scene.changeKey, ...onPull(scene, facts));
  const ofSession = ON_SESSION[key];
  if (ofSession !== undefined) return onSession(scene.sessionId, ...ofSession(scene, facts));
  if (key === "collision" || key === "main-moved") return collision(key, scene, facts);
  if (key === "all-complete") return completion(scene);
  return key === "main-broken" ? redMain(scene) : [];
}

/** Does this key need a session without a pull request? */
export function needsNoPullRequest(key: string): boolean {
  return key === "agent-idle" || key === "uncommitted" || key === "main-moved";
}

/** The facts that may be given for a key. */
export function factsFor(key: string): readonly string[] {
  if (eventOfKey(key) !== null) return fieldsOfKey(key);
  return FACTS[key] ?? [];
}

/** Why nothing can trigger this key in a project; null: something can. */
export function whyImpossible(key: string, policy: ProjectPolicy): string | null {
  if (key === "main-broken" && mainChecks(policy).length === 0) return "no check has `on: [main]`";
  if (key !== "budget-exceeded") return null;
  const { perSession, perTask, perDay, perDayInAll } = policy.budget ?? NO_LIMITS;
  return [perSession, perTask, perDay, perDayInAll].every((limit) => limit === null) ? "no cost limit is set" : null;
}

const NO_LIMITS = { perSession: null, perTask: null, perDay: null, perDayInAll: null };

const FACTS: Readonly<Record<string, readonly string[]>> = {
  "ci-failed": ["check"],
  "changes-requested": ["author", "text"],
  "review-commented": ["author", "text"],
  "bot-commented": ["author", "text"],
  "merge-conflict": ["file"],
  "label-added": ["label"],
  collision: ["file"],
  "main-moved": ["file"],
};

type OnPull = (scene: Scene, facts: MadeUpFacts) => readonly ChangeEvent[];

const ON_PULL_REQUEST: Readonly<Record<string, OnPull>> = {
  // Red twice, and not red on the base: the failure is the branch's own.
  "ci-failed": (scene, { check = firstCheck(scene.policy) }) => [
    checked(scene, check, "failed"),
    {
      type: "check.attributed",
      name: check,
      head: scene.head,
      attempt: scene.attempt,
      cause: "branch",
      base: scene.baseHead,
    },
  ],
  "changes-requested": (scene, facts) => [review(scene, "request-changes", facts)],
  "review-commented": (scene, facts) => [review(scene, "comment", facts)],
  "bot-commented": (scene, { author = "review-bot", ...facts }) => [
    { ...review(scene, "comment", { author, ...facts }), isBot: true },
  ],
  "merge-conflict": ({ head, baseHead }, { file = "src/login.ts" }) => [
    { type: "change.tried", kind: "conflict", head, baseHead, files: [file], reason: null },
  ],
  "approved-and-green": (scene) => ready(scene),
  "label-added": (_, { label = "needs-tests" }) => [{ type: "label.added", label, by: "ann" }],
  "label-removed": (_, { label = "needs-tests", by = "ann" }) => [
    { type: "label.added", label, by },
    { type: "label.removed", label, by },
  ],
  "pr-closed": (_, { by = "ann", reason = "done another way" }) => [{ type: "change.closed", by, reason }],
  "pr-merged": ({ head, baseHead }, { by = "ann", commit = "5d6e7f8a9b" }) => [
    { type: "change.merged", commit, baseBefore: baseHead, head, by },
  ],
};

type OfSession = (scene: Scene, facts: MadeUpFacts) => readonly SessionEvent[];

const ON_SESSION: Readonly<Record<string, OfSession>> = {
  uncommitted: ({ turns, head }) => [
    { type: "agent.finished", summary: "Done." },
    {
      type: "branch.seen",
      turn: turns + 1,
      head,
      ahead: 0,
      uncommitted: { count: 1, names: ["src/login.ts"], tree: "made-up" },
    },
  ],
  // Both follow from silence.
  "agent-idle": () => [],
  "agent-stuck": () => [{ type: "agent.reported", state: "working", note: null }],
  "agent-needs-input": () => [
    { type: "agent.asked", id: "made-up", run: 1, question: "Deploy now?", choices: ["Yes", "No"] },
  ],
  "agent-exited": () => [{ type: "agent.errored", reason: "the model service does not answer" }],
  "rate-limited": () => [{ type: "agent.limited", until: null, reason: "429 Too Many Requests" }],
  "budget-exceeded": ({ policy }) => [{ type: "agent.used", inputTokens: 1, outputTokens: 1, costUsd: allOf(policy) }],
};

/** Can an event for this key be made up? */
export function isKnownKey(key: string): boolean {
  return (REACTION_KEYS as readonly string[]).includes(key) || eventOfKey(key) !== null;
}

/** The event that a key names, with its fields as texts, for keys that `makeUp` has no events for. */
export function announcement(key: string, scene: Scene, facts: MadeUpFacts): Emitted | null {
  const type = eventOfKey(key);
  if (type === null || ON_PULL_REQUEST[key] !== undefined) return null;
  const fields = Object.fromEntries(fieldsOfKey(key).map((name) => [name, facts[name] ?? `made-up ${name}`]));
  const event = { type, ...fields } as unknown as Emitted["event"];
  return isOnChange(type)
    ? { stream: `change:${scene.changeKey}`, event }
    : { stream: `session:${scene.sessionId}`, event };
}

function firstCheck({ checks, merging }: ProjectPolicy): string {
  return merging.checks[0] ?? Object.keys(checks)[0] ?? "unit";
}

function checked({ head, attempt, policy }: Scene, name: string, state: "passed" | "failed"): ChangeEvent {
  return {
    type: "check.finished",
    name,
    head,
    attempt,
    state,
    code: state === "passed" ? 0 : 1,
    log: { inline: state === "passed" ? "" : "expected 2, got 3\n" },
    fingerprint: "made-up",
    tookMs: 1000,
    // One that the project does not run itself is reported by its forge.
    ...(policy.checks[name] === undefined ? { ref: "made-up" } : {}),
  };
}

function review(
  { head }: Scene,
  verdict: "approve" | "request-changes" | "comment",
  { author = "ann", text = "Please cover the empty password." }: MadeUpFacts,
): Extract<ChangeEvent, { type: "review.given" }> {
  const id = `made-up-${author}`;
  const thread = { id: `${id}.1`, commentId: `${id}.1.1`, path: "src/login.ts", line: 12, text: { inline: text } };
  const threads = verdict === "approve" ? [] : [thread];
  return { type: "review.given", id, author, verdict, body: null, head, threads };
}

function ready(scene: Scene): readonly ChangeEvent[] {
  const { policy, head, baseHead } = scene;
  const size = { files: 1, added: 10, removed: 2, paths: ["src/login.ts"] };
  const approvals = Math.max(1, policy.merging.approvals);
  return [
    ...requiredChecks(policy).map((name) => checked(scene, name, "passed")),
    ...Array.from({ length: approvals }, (_, n) => review(scene, "approve", { author: n === 0 ? "ann" : `ann-${n}` })),
    { type: "change.tried", kind: "clean", head, baseHead, files: [], reason: null, size },
  ];
}

function allOf({ budget = NO_LIMITS }: ProjectPolicy): number {
  return Math.max(0, ...Object.values(budget).filter((limit) => limit !== null));
}

function collision(
  key: "collision" | "main-moved",
  { projectId, sessionId }: Scene,
  { file = "src/login.ts" }: MadeUpFacts,
): readonly Emitted[] {
  const other = key === "collision" ? `${projectId}-other` : null;
  return onProject(projectId, { type: "collision.found", session: sessionId, other, files: [file] });
}

function completion(scene: Scene): readonly Emitted[] {
  const { sessionId, changeKey, head, baseHead } = scene;
  return [
    ...onChange(changeKey, { type: "change.merged", commit: "5d6e7f8a9b", baseBefore: baseHead, head, by: "ann" }),
    ...onSession(sessionId, { type: "session.stop-requested", reason: "merged" }, { type: "session.stopped" }),
  ];
}

function redMain({ projectId, policy }: Scene): readonly Emitted[] {
  const commit = "5d6e7f8a9b";
  // The guard believes a red check only when it is red twice.
  const red = { state: "failed", code: 1, log: null, fingerprint: "", tookMs: 1000, attempt: 2, commit } as const;
  return onProject(
    projectId,
    { type: "project.base-moved", head: commit },
    { type: "main.watched", commit },
    ...mainChecks(policy).map((name) => ({ type: "commit.check-finished", name, ...red }) as const),
  );
}
