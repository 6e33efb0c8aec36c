import { describe, expect } from "vitest";
import { itHolds, RETRIES, type Simulation } from "../../../test/support/random-story.ts";
import type { Emitted } from "../event.ts";
import { evolve, type StreamState } from "../evolve.ts";
import type { IntentSpec } from "../intent.ts";
import { describeBlocker, findBlockers } from "../merge/blockers.ts";
import type { ProjectPolicy } from "../policy.ts";
import type { ProjectState } from "../project/state.ts";
import { reactStream } from "../react.ts";
import { REMIND_MS } from "../reaction/plan-reaction.ts";
import { settle } from "../settle.ts";
import { baseHeadOf } from "../stack/base.ts";
import { changeStream, projectStream, type StreamId } from "../stream.ts";
import { judgeBatch } from "../train/batch.ts";
import { goesByTrain } from "../train/queue.ts";
import type { ChangeState } from "./state.ts";

type LogEntry = Simulation["log"][number];

type MergeSpec = Extract<IntentSpec, { readonly kind: "merge-change" }>;

function whatBlocks(
  states: ReadonlyMap<StreamId, StreamState>,
  stream: StreamId,
  { head, exact }: MergeSpec,
): readonly string[] {
  const change = states.get(stream) as ChangeState;
  const project = states.get(projectStream(change.projectId)) as ProjectState;
  if (change.head !== head) return [`it is at ${change.head}, not at ${head}`];
  const policy = project.policy as ProjectPolicy;
  const blockers = findBlockers(change, policy, baseHeadOf(change, project)).map((blocker) => describeBlocker(blocker));
  return [...blockers, ...(goesByTrain(change, policy) ? whatTrainForbids(project, policy, exact) : [])];
}

function whatTrainForbids(project: ProjectState, policy: ProjectPolicy, exact: MergeSpec["exact"]): readonly string[] {
  const batch = project.train?.batch ?? null;
  if (exact === undefined || batch === null) return ["it goes past the train"];
  return [
    ...(exact.base === project.baseHead ? [] : ["the base moved"]),
    ...(batch.built?.some(({ commit }) => commit === exact.commit) === true ? [] : ["it is not what was built"]),
    ...(judgeBatch(project, policy, batch).kind === "green" ? [] : ["its tree is not green"]),
  ];
}

describe("in any story with pull requests", () => {
  itHolds({
    "nothing more follows from the reached state": () => (simulation) => {
      expect(settle(simulation.world.view, simulation.now)).toEqual([]);
    },

    "nothing is wanted that was already done: it would be awaited forever":
      () =>
      ({ world, finished, now }) => {
        for (const stream of world.all().keys()) {
          const again = reactStream(world.view, stream, now).intents.filter(({ id }) => finished.has(id));
          expect(again.map(({ id }) => id)).toEqual([]);
        }
      },

    "a change is opened once, merged once, and no branch has two open ones": () => {
      const opened = new Set<string>();
      const merged = new Set<string>();
      return (simulation, { events }) => {
        for (const { stream, event } of events) {
          const before = event.type === "change.opened" ? opened : event.type === "change.merged" ? merged : null;
          expect(before?.has(stream) ?? false, `${stream} ${event.type}`).toBe(false);
          before?.add(stream);
        }
        const branches = [...simulation.world.view.changes()]
          .filter(({ phase }) => phase === "open")
          .map(({ projectId, branch }) => `${projectId} ${branch}`);
        expect(new Set(branches).size).toBe(branches.length);
      };
    },

    "no merge starts while anything blocks exactly that commit, or for a tree that the train has not checked": () => {
      const states = new Map<StreamId, StreamState>();
      const merges = new Map<string, MergeSpec>();
      const follow = ({ stream, event, at }: LogEntry): void => {
        const after = evolve(stream, states.get(stream), event, at);
        if (after !== undefined) states.set(stream, after);
        if (event.type === "intent.recorded" && event.spec.kind === "merge-change") {
          merges.set(event.id, event.spec);
        }
        const spec = event.type === "intent.started" ? merges.get(event.id) : undefined;
        if (spec !== undefined) expect(whatBlocks(states, stream, spec)).toEqual([]);
      };
      let read = 0;
      return ({ log }) => {
        log.slice(read).forEach(follow);
        read = log.length;
      };
    },

    "ao neither requests nor does the merge of a stacked pull request, and no stack is circular": (beginning) => {
      const before = [...beginning.world.view.changes()].filter(({ stackedOn }) => stackedOn !== undefined);
      const stacked = new Set<string>(before.map(({ key }) => changeStream(key)));
      const follow = ({ stream, event }: Emitted): void => {
        if (event.type === "change.opened" && event.stackedOn !== undefined) stacked.add(stream);
        if (event.type === "change.retargeted") stacked.delete(stream);
        const isMerge = event.type === "change.merged" || (event.type === "merge.requested" && event.by === "ao");
        if (isMerge) expect([...stacked]).not.toContain(stream);
      };
      return ({ world }, { events }) => {
        events.forEach(follow);
        for (const { stackedOn, branch } of world.view.changes()) expect(stackedOn?.branch).not.toBe(branch);
      };
    },

    "a problem costs no more messages than its retries": () => {
      const sent = new Map<string, number>();
      const count = (key: string, by: number): void => {
        sent.set(key, (sent.get(key) ?? 0) + by);
        expect(sent.get(key), key).toBeLessThanOrEqual(RETRIES);
      };
      return (_, { events }) => {
        for (const { stream, event } of events) {
          if (event.type === "problem.gone") sent.delete(`${stream} ${event.id}`);
          if (event.type === "reaction.sent") count(`${stream} ${event.problem}`, 1);
          if (event.type === "reaction.withdrawn") count(`${stream} ${event.problem}`, -1);
        }
      };
    },

    "a problem is escalated once, until a reminder is due": () => {
      const escalatedAt = new Map<string, number>();
      return ({ now }, { events }) => {
        for (const { stream, event } of events) {
          if (event.type === "problem.gone") escalatedAt.delete(`${stream} ${event.id}`);
          if (event.type !== "problem.escalated") continue;
          const before = escalatedAt.get(`${stream} ${event.id}`);
          expect(event.reminder).toBe(before !== undefined);
          if (before !== undefined) expect(now - before).toBeGreaterThanOrEqual(REMIND_MS);
          escalatedAt.set(`${stream} ${event.id}`, now);
        }
      };
    },

    "a notice is raised once, and sent once to each recipient": () => {
      const known = new Set<string>();
      const once = (what: string): void => {
        expect(known.has(what), what).toBe(false);
        known.add(what);
      };
      return (_, { events }) => {
        for (const { event } of events) {
          if (event.type === "notice.raised") once(event.id);
          if (event.type === "notice.sent") for (const id of event.ids) once(`${event.notifier} ${id}`);
        }
      };
    },
  });
});
