import { deriveChangeStatus } from "../core/change/status.ts";
import { listBusy } from "../core/slot.ts";
import type { EngineView } from "./actions.ts";
import { pullRequestsOf } from "./find-pull-request.ts";
import type { Gauge } from "./metrics.ts";
import { deriveShown } from "./views.ts";

/** The current values. */
export function readGauges({ world, lastPosition }: EngineView): readonly Gauge[] {
  const sessions = [...world.activeSessions()].filter(({ phase }) => phase !== "stopped");
  const busy = listBusy(world);
  const bySession = sessions.map((session) => ({
    project: session.projectId,
    status: deriveShown(session, world, { changes: pullRequestsOf(world, session.id), busy }).status,
  }));
  const open = [...world.changes()].filter(({ phase }) => phase === "open");
  const byPullRequest = open.map((change) => ({
    project: change.projectId,
    status: deriveChangeStatus(world, change).status,
  }));
  return [
    { name: "ao_sessions", help: "Sessions that are not stopped.", type: "gauge", values: count(bySession) },
    { name: "ao_pull_requests_open", help: "Open pull requests.", type: "gauge", values: count(byPullRequest) },
    { name: "ao_events_total", help: "Events in the log.", type: "counter", values: [[{}, lastPosition()]] },
    {
      name: "ao_resident_memory_bytes",
      help: "Memory of the daemon.",
      type: "gauge",
      values: [[{}, process.memoryUsage.rss()]],
    },
  ];
}

function count(rows: readonly { readonly project: string; readonly status: string }[]): Gauge["values"] {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(JSON.stringify(row), (counts.get(JSON.stringify(row)) ?? 0) + 1);
  return [...counts].map(([key, value]) => [JSON.parse(key) as Record<string, string>, value]);
}
