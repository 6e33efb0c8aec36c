import type { StoredSignal } from "../../core/agent-signal.ts";
import { lastNumber, type OpenSpec } from "../../core/change/open.ts";
import { shortHash } from "../../core/hash.ts";
import type { Input } from "../../core/input.ts";
import type { BranchReading, IntentOutcome, IntentSpec } from "../../core/intent.ts";
import type { Loop } from "../../engine/loop.ts";
import type { OpenIntent } from "../../ports/store.ts";
import type { SampleCommits } from "./sample-repository.ts";

type CheckState = Extract<IntentOutcome, { kind: "check-ended" }>["state"];

/** How the world around a session answers its effects. */
export interface Surroundings {
  branch: BranchReading;
  /** null: the check keeps running. */
  checkResult: (check: string) => CheckState | null;
  conflicts: readonly string[];
}

/** Sessions whose effects are carried out from a table, so that every event comes from the core's own decisions. */
export interface SimulatedFleet {
  readonly loop: Loop;
  readonly commits: SampleCommits;
  surroundingsOf(sessionId: string): Surroundings;
  submit(input: Input): Promise<Readonly<Record<string, unknown>>>;
  say(sessionId: string, ...signals: readonly StoredSignal[]): Promise<void>;
  /** Ends the checks running on a session's pull request, with the results that its surroundings give now. */
  finishChecks(sessionId: string): Promise<void>;
  /** Carries out wanted effects until none is left. */
  settle(): Promise<void>;
}

/** A fleet on a loop without an engine. */
export function createSimulatedFleet(loop: Loop, commits: SampleCommits): SimulatedFleet {
  const surroundings = new Map<string, Surroundings>();
  const surroundingsOf = (sessionId: string): Surroundings => {
    const known = surroundings.get(sessionId) ?? createSurroundings(commits.base);
    surroundings.set(sessionId, known);
    return known;
  };
  const submit = (input: Input): ReturnType<Loop["submit"]> => loop.submit({ input });
  const view = loop.world.view;
  const sessionOf = (spec: IntentSpec): string | null => {
    if ("sessionId" in spec) return spec.sessionId;
    return "changeKey" in spec ? (view.change(spec.changeKey)?.sessionId ?? null) : null;
  };
  const opened = (sessionId: string): IntentOutcome => {
    const number = lastNumber(view, view.session(sessionId)?.projectId ?? "") + 1;
    return { kind: "change-opened", number, url: null };
  };
  const finish = async (intent: OpenIntent): Promise<void> => {
    const { spec } = intent;
    const sessionId = sessionOf(spec);
    const around = sessionId === null ? null : surroundingsOf(sessionId);
    const outcome =
      spec.kind === "open-change"
        ? opened(spec.sessionId)
        : outcomeOf(spec, around, { base: commits.base, now: view.project("tern")?.baseHead ?? commits.base });
    if (outcome === null) return;
    await submit({ type: "intent.outcome", id: intent.id, outcome });
    if (spec.kind === "send-message" && outcome.kind === "message-written") await confirm(spec);
  };
  const confirm = async ({ sessionId, messageId }: Extract<IntentSpec, { kind: "send-message" }>): Promise<void> => {
    const message = view.session(sessionId)?.messages.find(({ id }) => id === messageId);
    if (message?.status === "written") await fleet.say(sessionId, { kind: "received", id: messageId });
  };
  const settle = async (): Promise<void> => {
    for (let next = nextPending(loop); next !== null; next = nextPending(loop)) {
      await submit({ type: "intent.starting", id: next.id });
      const started = loop.openIntents.get(next.id);
      if (started?.status === "started") await finish(started);
    }
  };
  const fleet: SimulatedFleet = {
    loop,
    commits,
    surroundingsOf,
    submit,
    say: async (sessionId, ...signals) => {
      const run = view.session(sessionId)?.run.n ?? 1;
      await submit({ type: "run.signals", sessionId, run, signals });
    },
    finishChecks: async (sessionId) => {
      for (const intent of [...loop.openIntents.values()]) {
        if (intent.status === "started" && sessionOf(intent.spec) === sessionId) await finish(intent);
      }
      await settle();
    },
    settle,
  };
  return fleet;
}

function createSurroundings(base: string): Surroundings {
  return { branch: { head: base, baseHead: base, ahead: 0 }, checkResult: () => "passed", conflicts: [] };
}

// The first intent of each lane, unless that lane is busy.
function nextPending(loop: Loop): OpenIntent | null {
  const all = [...loop.openIntents.values()];
  const busy = new Set(all.filter(({ status }) => status === "started").map(({ lane }) => lane));
  return all.find(({ status, lane }) => status === "pending" && !busy.has(lane)) ?? null;
}

const TOOK_MS: Readonly<Record<string, number>> = { lint: 6000, types: 11_000, vet: 4000, unit: 38_000, e2e: 190_000 };

function outcomeOf(
  spec: Exclude<IntentSpec, OpenSpec>,
  around: Surroundings | null,
  heads: { readonly base: string; readonly now: string },
): IntentOutcome | null {
  switch (spec.kind) {
    case "create-workspace": {
      const path = `/home/mara/code/worktrees/${spec.sessionId}`;
      const at = { head: heads.base, baseCommit: heads.base, restoredFrom: null, notes: [] };
      return { kind: "workspace-created", path, branch: spec.sessionId, ...at };
    }
    case "start-run":
      return { kind: "run-started", pid: 48_112 };
    case "send-message":
      return { kind: "message-written" };
    case "run-command":
      return { kind: "command-ended", code: 0, reason: "" };
    case "restrict-network":
      return { kind: "network-restricted" };
    case "end-run":
      return { kind: "run-ended", code: null, evidence: "ended by ao" };
    case "remove-workspace":
      return { kind: "workspace-removed", preservedRef: null };
    case "read-branch":
      return { kind: "branch-read", facts: around?.branch ?? null };
    case "run-check":
      return checkOutcome(spec.check, around);
    case "release-train":
      return { kind: "train-released" };
    case "check-commit":
      return checkOutcome(spec.check, around);
    case "build-train": {
      const cars = spec.cars.map(({ head }) => ({ commit: head, isHeadTree: true, since: [] }));
      return { kind: "train-built", cars, conflicts: [] };
    }
    case "transfer-change":
    case "publish-change":
      return { kind: "change-published" };
    case "write-change":
      return { kind: "change-written" };
    case "try-merge": {
      const files = around?.conflicts ?? [];
      return { kind: "merge-tried", result: files.length > 0 ? "conflict" : "clean", files, reason: null };
    }
    case "merge-change":
      return { kind: "merged", commit: shortHash(spec.changeKey).padEnd(40, "0"), baseBefore: heads.now };
    case "revert-merge":
      return { kind: "merge-reverted", commit: heads.now };
    case "close-issue":
      return { kind: "issue-settled", closed: true, reason: "merged" };
    case "delete-branch":
      return { kind: "branch-settled", deleted: true, reason: "merged" };
    case "notify":
      return { kind: "notified" };
  }
}

function checkOutcome(check: string, around: Surroundings | null): IntentOutcome | null {
  const state = around === null ? "passed" : around.checkResult(check);
  if (state === null) return null;
  const tookMs = TOOK_MS[check] ?? 9000;
  if (state !== "failed") return { kind: "check-ended", state, code: 0, log: null, fingerprint: "", tookMs };
  return { kind: "check-ended", state, code: 1, log: { inline: LOG }, fingerprint: "part 3 sent twice", tookMs };
}

const LOG = `=== RUN   TestResumeAfterDrop
    resume_test.go:52: drop after part 2, 8 MiB of 16 MiB sent
    resume_test.go:64: client resumes at part 3, offset 8388608
--- FAIL: TestResumeAfterDrop (4.12s)
    resume_test.go:71: part 3 sent twice
FAIL  dock/e2e  171.4s
`;
