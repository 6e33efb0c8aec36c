import { describe, expect } from "vitest";
import { expectSame, itHolds, sessionsOf } from "../../test/support/random-story.ts";
import type { Emitted } from "./event.ts";
import { evolve, type StreamState } from "./evolve.ts";
import { reactStream } from "./react.ts";
import type { Message, SessionState } from "./session/state.ts";
import { holdsSlot } from "./slot.ts";
import type { StreamId } from "./stream.ts";

function breaksPause(event: Emitted["event"]): boolean {
  switch (event.type) {
    case "intent.started":
      return !/\/(end-run|remove-workspace|notify|open-change\/asked\.[^/]+|send-message\/i-\d+@\d+)\//.test(event.id);
    case "reaction.sent":
      return true;
    case "merge.requested":
      return event.by === "ao";
    default:
      return false;
  }
}

const seen = new Set<string>();
let hasInterrupted = false;

describe("in any story", () => {
  itHolds(
    {
      "replaying the events gives the states that were reached live": () => {
        const rebuilt = new Map<StreamId, StreamState>();
        // States never change in place, so an equal one stays equal until it is replaced, or an event comes.
        const equal = new Map<StreamId, StreamState>();
        let read = 0;
        return ({ log, world }) => {
          for (; read < log.length; read += 1) {
            const { stream, event, at } = log[read] as (typeof log)[number];
            equal.delete(stream);
            // Through JSON, as the store keeps it.
            const after = evolve(stream, rebuilt.get(stream), JSON.parse(JSON.stringify(event)), at);
            if (after !== undefined) rebuilt.set(stream, after);
          }
          const live = world.everything();
          for (const [stream, state] of live) {
            if (equal.get(stream) !== state) expectSame(rebuilt.get(stream), state);
            equal.set(stream, state);
          }
          expect(rebuilt.size).toBe(live.size);
        };
      },

      "a task has at most one session that is not stopped, and that one holds its claim": () => (simulation) => {
        const owners = new Map<string, string>();
        for (const session of sessionsOf(simulation)) {
          if (session.phase === "stopped") continue;
          expect(owners.get(session.taskKey)).toBeUndefined();
          owners.set(session.taskKey, session.id);
          expect(simulation.world.view.task(session.taskKey)?.claimedBy).toBe(session.id);
        }
      },

      "nobody is admitted beyond the limits of working agents, except by `now`; a message may wake more": (
        beginning,
      ) => {
        let before = new Set(sessionsOf(beginning).filter(holdsSlot));
        return (simulation, { events }) => {
          const { view } = simulation.world;
          const idsOf = (type: Emitted["event"]["type"]): ReadonlySet<string> =>
            new Set(
              events.filter(({ event }) => event.type === type).map(({ stream }) => stream.slice("session:".length)),
            );
          const [admitted, woken] = [idsOf("session.admitted"), idsOf("message.queued")];
          const wasBusy = new Set([...before].map(({ id }) => id));
          const busy = sessionsOf(simulation).filter(holdsSlot);
          before = new Set(busy);
          // A request with `now` admits itself.
          if (admitted.size === 0 || idsOf("session.requested").size > 0) return;
          const counted = busy.filter(({ id }) => admitted.has(id) || (wasBusy.has(id) && !woken.has(id)));
          expect(counted.length).toBeLessThanOrEqual(view.fleet().limit);
          for (const { projectId } of counted.filter(({ id }) => admitted.has(id))) {
            const limit = view.project(projectId)?.limit ?? Number.POSITIVE_INFINITY;
            expect(counted.filter((one) => one.projectId === projectId).length, projectId).toBeLessThanOrEqual(limit);
          }
        };
      },

      "a finished effect is never wanted again, and a message is written once per run and attempt": () => {
        const written = new Set<string>();
        return ({ finished }, { recorded, events }) => {
          for (const { id } of recorded) expect(finished.has(id), id).toBe(false);
          for (const { stream, event } of events) {
            if (event.type !== "message.written") continue;
            const key = `${stream} ${event.id} ${event.run}`;
            expect(written.has(key), key).toBe(false);
            written.add(key);
          }
        };
      },

      "an interrupt is never a turn, and belongs to one run only": () => {
        const runs = new Map<string, number>();
        return (simulation, { events }) => {
          for (const { event } of events) {
            if (event.type !== "message.started" || !event.id.startsWith("i-")) continue;
            expect(runs.get(event.id) ?? event.run, event.id).toBe(event.run);
            runs.set(event.id, event.run);
          }
          for (const { turn } of sessionsOf(simulation)) expect(turn?.messageId ?? "").not.toMatch(/^i-/);
        };
      },

      "an accepted message never changes": () => {
        const accepted = new Map<string, Message>();
        return (simulation) => {
          for (const message of sessionsOf(simulation).flatMap(({ messages }) => messages)) {
            const known = accepted.get(message.id);
            if (known !== undefined) expect(message).toEqual(known);
            if (message.status === "accepted") accepted.set(message.id, message);
          }
        };
      },

      "pending is what is wanted now: a pause, a question or a stop withdraws the rest": () => (simulation) => {
        const { view } = simulation.world;
        for (const stream of new Set([...simulation.open.values()].map((intent) => intent.stream))) {
          const wanted = new Set(reactStream(view, stream, simulation.now).intents.map(({ id }) => id));
          for (const { id, status, stream: own } of simulation.open.values()) {
            if (own === stream && status === "pending") expect(wanted.has(id), id).toBe(true);
          }
        }
      },

      "only a take-down, an interrupt or a notice starts after a pause, even in the same commit": () => {
        let paused = false;
        return (_, { events }) => {
          for (const { event } of events) {
            if (event.type === "fleet.paused") paused = true;
            if (event.type === "fleet.resumed") paused = false;
            if (paused) expect(breaksPause(event)).toBe(false);
          }
        };
      },

      "only a restore leaves stopped": () => {
        let stopped = new Set<string>();
        return (simulation, { events }) => {
          const restored = events.filter(({ event }) => event.type === "session.restore-requested");
          for (const { stream } of restored) stopped.delete(stream.slice("session:".length));
          for (const id of stopped) expect(simulation.world.view.session(id)?.phase).toBe("stopped");
          stopped = new Set(sessionsOf(simulation).flatMap(({ id, phase }) => (phase === "stopped" ? [id] : [])));
        };
      },

      "there is one run at a time, and its number increases": () => {
        const before = new Map<string, SessionState["run"]>();
        return (simulation) => {
          for (const { id, run } of sessionsOf(simulation)) {
            const was = before.get(id) ?? run;
            before.set(id, run);
            expect(run.n).toBeGreaterThanOrEqual(was.n);
            if (was.state === "alive" && run.state === "alive") expect(run.n).toBe(was.n);
          }
        };
      },

      "(records which kinds of events there were)":
        () =>
        (_, { events }) => {
          for (const { event } of events) {
            seen.add(event.type);
            if (event.type === "message.written" && event.id.startsWith("i-")) hasInterrupted = true;
          }
        },
    },
    {
      stories: 120,
      afterwards: {
        "(the stories contain every kind of event, so that the facts above are meaningful)": () => {
          expect(hasInterrupted).toBe(true);
          expect(EVENTS.filter((type) => !seen.has(type))).toEqual([]);
        },
      },
    },
  );
});

const EVENTS: readonly Emitted["event"]["type"][] = [
  "session.requested",
  "session.admitted",
  "session.stop-requested",
  "session.stopped",
  "session.restore-requested",
  "session.moved",
  "session.retargeted",
  "session.archived",
  "session.unarchived",
  "workspace.creating",
  "workspace.created",
  "workspace.failed",
  "workspace.vanished",
  "workspace.reappeared",
  "workspace.removed",
  "workspace.kept",
  "run.starting",
  "run.started",
  "run.hibernating",
  "run.ended",
  "message.queued",
  "message.started",
  "message.written",
  "message.held",
  "message.accepted",
  "message.returned",
  "message.unknown",
  "message.failed",
  "agent.reported",
  "agent.asked",
  "agent.answered",
  "agent.used",
  "agent.finished",
  "agent.output-seen",
  "branch.seen",
  "message.withdrawn",
  "change.open-requested",
  "change.open-failed",
  "change.opened",
  "change.updated",
  "change.stacked",
  "change.retargeted",
  "change.closed",
  "change.tried",
  "change.merged",
  "change.archived",
  "change.unarchived",
  "check.started",
  "check.finished",
  "check.rerun-requested",
  "review.given",
  "thread.replied",
  "thread.resolved",
  "thread.reopened",
  "label.added",
  "label.removed",
  "merge.requested",
  "merge.held",
  "merge.refused",
  "merge.cancelled",
  "branch.settled",
  "problem.seen",
  "problem.gone",
  "problem.escalated",
  "problem.acknowledged",
  "reaction.sent",
  "reaction.withdrawn",
  "notice.raised",
  "notice.sending",
  "notice.sent",
  "notice.failed",
  "project.policy-set",
  "project.base-moved",
  "daemon.woke",
  "fleet.routing-set",
  "fleet.prices-set",
  "inbox.snoozed",
  "inbox.returned",
  "intent.recorded",
  "intent.started",
  "intent.finished",
  "intent.withdrawn",
  "task.claimed",
  "task.released",
  "project.registered",
  "project.removed",
  "project.paused",
  "project.resumed",
  "fleet.limited",
  "fleet.paused",
  "fleet.resumed",
];
