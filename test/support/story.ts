import { expect } from "vitest";
import type { ChangeState, CheckState } from "../../src/core/change/state.ts";
import type { AnyEvent, Emitted } from "../../src/core/event.ts";
import { evolve, type StreamState } from "../../src/core/evolve.ts";
import type { Command, Decision, Input } from "../../src/core/input.ts";
import type { BranchReading, IntentKind, IntentOutcome, IntentSpec } from "../../src/core/intent.ts";
import type { ProjectPolicy } from "../../src/core/policy.ts";
import type { SessionState } from "../../src/core/session/state.ts";
import { type StreamId, splitStream } from "../../src/core/stream.ts";
import type { StoredText } from "../../src/core/text.ts";
import { planBatch } from "../../src/engine/plan-batch.ts";
import type { OpenIntent } from "../../src/ports/store.ts";
import { aCreate, aProject } from "../../src/testing/builders.ts";
import { aPolicy } from "../../src/testing/change-builders.ts";
import { type ArchivingWorld, createArchivingWorld } from "./archiving-world.ts";

export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

/** The pure loop in a simulated world: the test controls time, git, checks and people. */
export interface Story {
  now: number;
  world: ArchivingWorld;
  readonly open: Map<string, OpenIntent>;
  readonly finished: Set<string>;
  readonly wakes: Map<StreamId, number>;
  readonly log: { readonly stream: StreamId; readonly event: AnyEvent; readonly at: number }[];
  /** Where branches are; `main` is the base. */
  readonly branches: Map<string, string>;
  /** What agents left uncommitted, by branch: a mark of the state of the files. */
  readonly dirty: Map<string, string>;
  /** How a check ends on a commit; null: it is still running. */
  check: (name: string, head: string, attempt: number) => Exclude<CheckState, "queued" | "running"> | null;
  /** The same on a commit of the base that no merge of the story made. */
  checkOnBase: Story["check"];
  /** Files in conflict. */
  conflicts: (head: string, base: string) => readonly string[];
  /** The last commit that a head has of a merged pull request, by the commit that was merged; null: none. */
  startsAfter: (head: string, landed: string) => string | null;
  /** Files that every pull request changes, a line each. */
  changed: readonly string[];
  /** What else the try of a head's merge says; null: it works. */
  trying: (head: string) => IntentOutcome | null;
  /** What else a check on a commit of the project says; null: nothing. */
  checking: () => IntentOutcome | null;
  /** What else the build of a batch says; null: it works. */
  building: (spec: Extract<IntentSpec, { kind: "build-train" }>) => IntentOutcome | null;
  /** null: it works. */
  merging: (spec: Extract<IntentSpec, { kind: "merge-change" }>) => IntentOutcome | null;
  /** Does merging a head onto a base give the files of the head, because the base has not changed? */
  isHeadTree: (head: string, base: string) => boolean;
  notifying: (spec: Extract<IntentSpec, { kind: "notify" }>) => IntentOutcome;
  /** Effects of these kinds start but do not end. */
  readonly held: Set<IntentKind>;
  /** What agents got, in order. */
  readonly told: { readonly sessionId: string; readonly text: string }[];
  /** Commands that were run. */
  readonly ran: string[];
  readonly notified: { readonly notifier: string; readonly ids: readonly string[] }[];
  /** Is the forge remote? */
  isRemote: boolean;
  /** The forge refuses everything that is written to it. */
  refusesWrites: boolean;
  /** Pull requests that the forge has. */
  opened: number;
  /** Counter for names. */
  serial: number;
}

/** A story with one project, and a session whose agent has just started its task. */
export function beginStory(
  policy: ProjectPolicy = aPolicy(),
  routing: readonly string[] = ["desk"],
  facts: Parameters<typeof beginSession>[1] = {},
): Story {
  const story: Story = {
    now: 1_000_000,
    world: createArchivingWorld(),
    open: new Map(),
    finished: new Set(),
    wakes: new Map(),
    log: [],
    branches: new Map([["main", "base0"]]),
    dirty: new Map(),
    check: () => "passed",
    checkOnBase: () => "passed",
    conflicts: () => [],
    startsAfter: () => null,
    changed: [],
    trying: () => null,
    checking: () => null,
    building: () => null,
    merging: () => null,
    isHeadTree: (_, base) => base === "base0",
    notifying: () => ({ kind: "notified" }),
    held: new Set(),
    told: [],
    ran: [],
    notified: [],
    isRemote: false,
    refusesWrites: false,
    opened: 0,
    serial: 0,
  };
  submit(story, { type: "daemon.up", version: "1", pid: 1 });
  const {
    paused: _,
    removed: __,
    at: ___,
    policy: ____,
    baseHead: _____,
    completedAt: ______,
    ...project
  } = aProject();
  submit(story, { type: "project.register", ...project });
  submit(story, { type: "project.policy", id: "demo", policy });
  const all = { urgent: routing, action: routing, warning: routing, info: routing };
  submit(story, { type: "fleet.routing", routing: all });
  beginSession(story, facts);
  return story;
}

/** Another session; its id comes from the title. */
export function beginSession(story: Story, facts: Parameters<typeof aCreate>[0] = {}): void {
  story.serial += 1;
  submit(story, aCreate({ ...facts, messageId: `task-${story.serial}` }));
  perform(story);
}

/** One commit: decides inputs, and keeps what the engine's loop would keep. */
export function submit(story: Story, ...inputs: readonly Input[]): readonly Decision[] {
  const { open, finished, wakes, now } = story;
  const draft = story.world.draft();
  const due = [...wakes].filter(([, at]) => at <= now).map(([stream]) => stream);
  const plan = planBatch(draft, inputs, { due, intents: { open, isFinished: (id) => finished.has(id) }, now });
  story.world.adopt(draft);
  for (const id of [...plan.finished, ...plan.forgotten]) open.delete(id);
  for (const id of plan.finished) finished.add(id);
  for (const intent of plan.recorded) open.set(intent.id, intent);
  for (const id of plan.started) {
    const intent = open.get(id);
    if (intent !== undefined) open.set(id, { ...intent, status: "started" });
  }
  for (const [stream, at] of plan.wakes) {
    if (at === null) wakes.delete(stream);
    else wakes.set(stream, at);
  }
  for (const { stream, event } of plan.events) {
    story.log.push(JSON.parse(JSON.stringify({ stream, event, at: now })));
  }
  return plan.decisions;
}

/** A command that must succeed, and everything that follows from it. */
export function ask(story: Story, command: Command): void {
  const [decision] = submit(story, command);
  expect(decision, JSON.stringify(command)).toMatchObject({ kind: "accepted" });
  perform(story);
}

/** Executes wanted effects until none is left that can finish. */
export function perform(story: Story): void {
  for (let round = 0; round < 500; round += 1) {
    const intent = nextEffect(story);
    if (intent === undefined) return;
    if (intent.status === "pending") submit(story, { type: "intent.starting", id: intent.id });
    if (story.open.get(intent.id)?.status !== "started") continue;
    const outcome = story.held.has(intent.spec.kind) ? null : outcomeOf(story, intent.spec);
    if (outcome !== null) submit(story, { type: "intent.outcome", id: intent.id, outcome });
  }
  throw new Error("the effects do not come to an end");
}

function nextEffect(story: Story): OpenIntent | undefined {
  const busy = new Set([...story.open.values()].filter(({ status }) => status === "started").map(({ lane }) => lane));
  return [...story.open.values()].find((intent) => {
    if (intent.status === "pending") return !busy.has(intent.lane);
    return !story.held.has(intent.spec.kind) && outcomeIsDue(story, intent.spec);
  });
}

function outcomeIsDue(story: Story, spec: IntentSpec): boolean {
  if (spec.kind === "check-commit") return checkOutcome(story, spec.check, spec.commit, spec.attempt) !== null;
  return spec.kind !== "run-check" || story.check(spec.check, spec.head, spec.attempt) !== null;
}

function outcomeOf(story: Story, spec: IntentSpec): IntentOutcome | null {
  switch (spec.kind) {
    case "create-workspace": {
      const session = sessionOf(story, spec.sessionId);
      const start = story.branches.get(session.base ?? "main") ?? baseOf(story);
      const head = story.branches.get(session.branch) ?? start;
      story.branches.set(session.branch, head);
      const made = { path: "/w", branch: session.branch, head, baseCommit: start, restoredFrom: null };
      return { kind: "workspace-created", ...made, notes: [] };
    }
    case "start-run":
      return { kind: "run-started", pid: 7 };
    case "send-message": {
      const message = sessionOf(story, spec.sessionId).messages.find(({ id }) => id === spec.messageId);
      story.told.push({ sessionId: spec.sessionId, text: message?.text ? plainText(message.text) : "" });
      return { kind: "message-written" };
    }
    case "restrict-network":
      return { kind: "network-restricted" };
    case "end-run":
      return { kind: "run-ended", code: null, evidence: "ended by ao" };
    case "remove-workspace":
      return { kind: "workspace-removed", preservedRef: null };
    case "read-branch":
      return { kind: "branch-read", facts: sightOf(story, sessionOf(story, spec.sessionId)) };
    case "run-command":
      story.ran.push(spec.commandId);
      return { kind: "command-ended", code: 0, reason: "" };
    case "open-change":
      story.opened += 1;
      return { kind: "change-opened", number: story.opened, url: null, ...(story.isRemote ? { isRemote: true } : {}) };
    default:
      return changeOutcome(story, spec);
  }
}

function changeOutcome(
  story: Story,
  spec: Exclude<IntentSpec, { readonly sessionId: string } | { readonly kind: "run-command" }>,
): IntentOutcome | null {
  switch (spec.kind) {
    case "run-check":
      return checkOutcome(story, spec.check, spec.head, spec.attempt);
    case "release-train":
      return { kind: "train-released" };
    case "check-commit":
      return story.checking() ?? checkOutcome(story, spec.check, spec.commit, spec.attempt);
    case "build-train":
      return story.building(spec) ?? buildOutcome(story, spec);
    case "transfer-change":
      story.opened += 1;
      return { kind: "change-opened", number: story.opened, url: `https://forge.test/${story.opened}`, isRemote: true };
    case "publish-change":
      return { kind: "change-published" };
    case "write-change":
      return story.refusesWrites
        ? { kind: "failed", code: "conflict", message: "no", hint: null }
        : { kind: "change-written" };
    case "try-merge": {
      const failed = story.trying(spec.head);
      if (failed !== null) return failed;
      const files = story.conflicts(spec.head, spec.baseHead);
      const { changed: paths } = story;
      const size =
        spec.measure === true ? { size: { files: paths.length, added: paths.length, removed: 0, paths } } : {};
      const start = spec.landed === undefined ? null : story.startsAfter(spec.head, spec.landed);
      const own = start === null ? {} : { startsAfter: start };
      const result = files.length > 0 ? "conflict" : "clean";
      return { kind: "merge-tried", result, files, reason: null, ...size, ...own };
    }
    case "merge-change": {
      const other = story.merging(spec);
      if (other !== null) return other;
      const baseBefore = baseOf(story);
      const commit = spec.exact?.commit ?? `merge-of-${spec.head}`;
      story.branches.set("main", commit);
      return { kind: "merged", commit, baseBefore };
    }
    case "revert-merge": {
      const commit = `${baseOf(story)}-${headOf(story, spec.key)}`;
      story.branches.set("main", commit);
      return { kind: "merge-reverted", commit };
    }
    case "close-issue":
      return { kind: "issue-settled", closed: true, reason: "merged" };
    case "delete-branch":
      return { kind: "branch-settled", deleted: true, reason: "merged" };
    case "notify": {
      const outcome = story.notifying(spec);
      if (outcome.kind === "notified") story.notified.push({ notifier: spec.notifier, ids: spec.noticeIds });
      return outcome;
    }
  }
}

function checkOutcome(story: Story, name: string, commit: string, attempt: number): IntentOutcome | null {
  const state = (/^base\d+$/.test(commit) ? story.checkOnBase : story.check)(name, commit, attempt);
  if (state === null) return null;
  const log = state === "passed" ? null : { inline: `${name} says no on ${commit}` };
  const code = state === "failed" ? 1 : null;
  return { kind: "check-ended", state, code, log, fingerprint: state === "passed" ? "" : "f1", tookMs: 10 };
}

// A commit of the base is named by all that is in it: `base0+head1+head2`.
function buildOutcome(story: Story, { base, cars }: Extract<IntentSpec, { kind: "build-train" }>): IntentOutcome {
  const built: Extract<IntentOutcome, { kind: "train-built" }>["cars"][number][] = [];
  let tip = base;
  for (const { head } of cars) {
    const conflicts = story.conflicts(head, tip);
    if (conflicts.length > 0) return { kind: "train-built", cars: built, conflicts };
    const isHeadTree = story.isHeadTree(head, tip);
    const parts = base.split("+").slice(1);
    const since = parts.map((_, index) => ["base0", ...parts.slice(0, index + 1)].join("+"));
    tip = `${tip}+${head}`;
    built.push({ commit: tip, isHeadTree, since: isHeadTree ? [] : since });
  }
  return { kind: "train-built", cars: built, conflicts: [] };
}

function headOf(story: Story, key: string): string {
  return story.world.view.change(key)?.head ?? "";
}

function baseOf(story: Story): string {
  return story.branches.get("main") ?? "base0";
}

function sightOf(story: Story, { branch, stackedOn }: SessionState): BranchReading {
  const head = story.branches.get(branch) ?? "base0";
  const on = stackedOn === undefined ? null : (story.branches.get(stackedOn.branch) ?? "base0");
  const tree = story.dirty.get(branch);
  const uncommitted = tree === undefined ? null : { count: 2, names: ["a.txt", "b.txt"], tree };
  const ahead = head.startsWith("base") || head === on ? 0 : 1;
  const isStacked = on === null ? {} : ({ isStacked: true } as const);
  return { head, baseHead: on ?? baseOf(story), ahead, uncommitted, ...isStacked };
}

/** Lets time pass; wake-ups run when their time comes. */
export function advance(story: Story, ms: number): void {
  const end = story.now + ms;
  for (let turn = 0; turn < 2000; turn += 1) {
    const next = Math.min(...story.wakes.values());
    if (next > end) {
      story.now = end;
      return;
    }
    story.now = Math.max(story.now, next);
    submit(story, { type: "timer" });
    perform(story);
  }
  throw new Error("time does not pass: something is looked at again and again");
}

/** The agent confirms its messages, works, and ends its turn, with a commit if one is named. */
export function agentTurn(story: Story, commit: string | null = null, sessionId = "demo-fix-it"): void {
  const session = sessionOf(story, sessionId);
  const { run } = session;
  const given = session.messages.filter((message) => message.status === "written");
  const received = given.map(({ id }) => ({ kind: "received", id }) as const);
  submit(story, { type: "run.signals", sessionId, run: run.n, signals: received });
  if (commit !== null) story.branches.set(session.branch, commit);
  submit(story, { type: "run.signals", sessionId, run: run.n, signals: [{ kind: "done", summary: "done" }] });
  perform(story);
}

/** Somebody else moves the base branch. */
export function moveBase(story: Story, head: string): void {
  story.branches.set("main", head);
  submit(story, { type: "base.moved", projectId: "demo", head });
  perform(story);
}

/** A review of the first pull request. */
export function review(
  story: Story,
  verdict: "approve" | "request-changes" | "comment",
  text: string | null = null,
  author = "ann",
): string {
  story.serial += 1;
  const reviewId = `v${story.serial}`;
  const body = text === null ? null : { inline: text };
  ask(story, { type: "change.review", key: "demo/1", reviewId, author, verdict, body, comments: [], head: null });
  return reviewId;
}

/** The daemon is killed; time passes, and the next one starts from the log alone. */
export function restart(story: Story, downMs = 0): void {
  const states = new Map<StreamId, StreamState>();
  for (const { stream, event, at } of story.log) {
    const after = evolve(stream, states.get(stream), event, at);
    if (after !== undefined) states.set(stream, after);
  }
  story.world = createArchivingWorld(states);
  story.now += downMs;
  story.wakes.clear();
  for (const stream of states.keys()) {
    if (splitStream(stream).kind !== "task") story.wakes.set(stream, 0);
  }
  submit(story, { type: "daemon.up", version: "1", pid: 2 });
  perform(story);
}

/** A session of the story. */
export function sessionOf(story: Story, id = "demo-fix-it"): SessionState {
  const session = story.world.view.session(id);
  if (session === undefined) throw new Error(`there is no session ${id}`);
  return session;
}

/** A pull request of the story. */
export function changeOf(story: Story, key = "demo/1"): ChangeState {
  const change = story.world.view.change(key);
  if (change === undefined) throw new Error(`there is no change ${key}`);
  return change;
}

/** All events of one type, in order. */
export function eventsOf<T extends AnyEvent["type"]>(
  story: Story,
  type: T,
): readonly Extract<AnyEvent, { readonly type: T }>[] {
  return story.log
    .map((one: Emitted) => one.event)
    .filter((event): event is Extract<AnyEvent, { readonly type: T }> => event.type === type);
}

/** The messages that the agent got besides its task. */
export function toldOf(story: Story, sessionId = "demo-fix-it"): readonly string[] {
  return story.told
    .filter((one) => one.sessionId === sessionId)
    .map(({ text }) => text)
    .filter((text) => text !== "Fix it");
}

function plainText(text: StoredText): string {
  if ("inline" in text) return text.inline;
  return "blob" in text ? `[blob ${text.blob}]` : text.join.map(plainText).join("");
}
