import { type ObservedWindow, predictExhaustion } from "../core/rate-window.ts";
import { withLiveReport } from "../core/session/live-report.ts";
import type { SessionState } from "../core/session/state.ts";
import { deriveStatus } from "../core/session/status.ts";
import { holdsSlot } from "../core/slot.ts";
import { isPaused, type World } from "../core/world.ts";
import type { CapacityView } from "../protocol/views/capacity.ts";
import { toTime } from "./time.ts";

const HELD_BY_VENDOR: readonly string[] = ["rate-limited", "unavailable"];

/** How many slots are used by what, and what waits for one. */
export function toCapacityView(world: World, { rssBytes }: { readonly rssBytes: number }): CapacityView {
  const active = [...world.activeSessions()].filter(({ phase }) => phase !== "stopped");
  const busy = active.filter(holdsSlot);
  const queued = active.filter(({ phase }) => phase === "queued").sort((a, b) => a.createdAt - b.createdAt);
  const projects = [...world.projects()].filter(({ removed }) => !removed);
  return {
    slots: { used: busy.length, limit: world.fleet().limit },
    projects: projects.map(({ id, limit }) => ({
      projectId: id,
      used: countOf(busy, id),
      limit,
      queued: countOf(queued, id),
    })),
    agents: listAgents(world, active),
    queue: queued.map(({ id, projectId }, index) => ({
      sessionId: id,
      position: index + 1,
      waitsFor: isPaused(world, projectId) ? "resume" : busy.length >= world.fleet().limit ? "fleet" : "project",
      behind: queued.slice(0, index).map((other) => other.id),
    })),
    memory: { rssBytes },
  };
}

function countOf(sessions: readonly SessionState[], projectId: string): number {
  return sessions.filter((session) => session.projectId === projectId).length;
}

function listAgents(world: World, active: readonly SessionState[]): CapacityView["agents"] {
  const open = active.filter(({ phase }) => phase === "open");
  const names = [...new Set(open.map(({ agent }) => agent.plugin))].sort();
  return names.map((agent) => {
    const own = open.filter((session) => session.agent.plugin === agent);
    const statuses = own.map((session) => statusOf(world, session));
    const count = (...wanted: readonly string[]): number => statuses.filter((status) => wanted.includes(status)).length;
    const limits = own.flatMap((session, index) =>
      HELD_BY_VENDOR.includes(statuses[index] ?? "") && session.limitedUntil !== null ? [session.limitedUntil] : [],
    );
    return {
      agent,
      working: count("working", "starting", "preparing", "restarting", "no-signal"),
      idle: count("idle", "exited", "paused"),
      waiting: count("needs-input"),
      rateLimited: count(...HELD_BY_VENDOR),
      rateLimitedUntil: limits.length === 0 ? null : toTime(Math.max(...limits)),
      windows: world.rateWindows(agent).map(toWindowView),
    };
  });
}

function toWindowView(window: ObservedWindow): CapacityView["agents"][number]["windows"][number] {
  const { name, usedPercent, resetsAt, samples } = window;
  const exhaustedAt = predictExhaustion(window);
  return {
    name,
    usedPercent,
    resetsAt: resetsAt === null ? null : toTime(resetsAt),
    exhaustedAt: exhaustedAt === null ? null : toTime(exhaustedAt),
    samples: samples.map((sample) => ({ ...sample, at: toTime(sample.at) })),
  };
}

function statusOf(world: World, session: SessionState): string {
  const paused = isPaused(world, session.projectId);
  return deriveStatus(withLiveReport(session, world.liveReport(session.id)), { paused }).status;
}
