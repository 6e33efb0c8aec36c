import "./capacity-page.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link } from "wouter";
import type { CapacityView } from "../../../../src/protocol/views/capacity.ts";
import { capacityQuery } from "../../data/capacity-query.ts";
import { sessionsQuery } from "../../data/queries.ts";
import { formatClock } from "../../lib/time.ts";
import { useHref } from "../../lib/url-state.ts";
import { Empty } from "../../parts/empty.tsx";
import { Failure } from "../../parts/failure-notice.tsx";
import { Figures } from "../../parts/figures.tsx";
import { Columns, PageHeader } from "../../parts/page-layout.tsx";
import { Panel } from "../../parts/panel.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Untrusted } from "../../parts/untrusted.tsx";
import { describeLimit, describeWait, listFigures, slotKinds } from "./describe-capacity.ts";

type Agent = CapacityView["agents"][number];
type Project = CapacityView["projects"][number];

/** How many agents work at once, what holds others up, and what waits for a slot. */
export function CapacityPage() {
  const { data, error, refetch } = useQuery(capacityQuery());
  useFreshCapacity();
  return (
    <main>
      <PageHeader title="Capacity" />
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? null : (
        <>
          <Figures figures={listFigures(data)} />
          <Columns
            left={
              <>
                <Panel title="Agents" note="slots in use, and how much of each rate-limit window is used">
                  <Table label="Agents" columns={AGENT_COLUMNS} rows={data.agents} keyOf={({ agent }) => agent} />
                </Panel>
                <Panel title="Projects" note="agents at work">
                  <Table
                    label="Projects"
                    columns={PROJECT_COLUMNS}
                    rows={data.projects}
                    keyOf={(one) => one.projectId}
                  />
                </Panel>
              </>
            }
            right={<QueuePanel capacity={data} />}
          />
        </>
      )}
    </main>
  );
}

const AGENT_COLUMNS: readonly Column<Agent>[] = [
  { name: "Agent", cell: ({ agent }) => <Untrusted text={agent} className="strong" /> },
  { name: "Slots", cell: (agent) => <Slots agent={agent} /> },
  { name: "Limit", cell: (agent) => <span className="you">{describeLimit(agent)}</span> },
  {
    name: "Window used",
    cell: ({ windows }) =>
      windows.length === 0 ? (
        <span className="ink-3">not reported</span>
      ) : (
        windows.map((one) => <Window key={one.name} window={one} />)
      ),
  },
];

const PROJECT_COLUMNS: readonly Column<Project>[] = [
  { name: "Project", cell: ({ projectId }) => <Link href={`/p/${projectId}`}>{projectId}</Link> },
  { name: "At work", cell: ({ used, limit }) => (limit === null ? used : `${used} of ${limit}`), isNumber: true },
  { name: "Queued", cell: ({ queued }) => queued, isNumber: true },
];

function Slots({ agent }: { readonly agent: Agent }) {
  const kinds = slotKinds(agent);
  const text = `${agent.working} working, ${agent.idle} idle, ${agent.waiting} waiting for you, ${agent.rateLimited} rate limited`;
  return (
    <span className="slots" role="img" aria-label={text} title={text}>
      {kinds.map((kind, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: squares have no identity
        <span key={index} className={`slot slot-${kind}`} />
      ))}
    </span>
  );
}

function Window({ window: { name, usedPercent, resetsAt } }: { readonly window: Agent["windows"][number] }) {
  return (
    <span className="window">
      <span>
        {name} {Math.round(usedPercent)}%{resetsAt === null ? "" : `, resets at ${formatClock(resetsAt)}`}
      </span>
      <meter className="window-bar" min={0} max={100} value={usedPercent} aria-label={name} />
    </span>
  );
}

function QueuePanel({ capacity }: { readonly capacity: CapacityView }) {
  const href = useHref();
  const sessions = useQuery(sessionsQuery()).data?.data ?? [];
  const { queue } = capacity;
  const columns: readonly Column<CapacityView["queue"][number]>[] = [
    { name: "#", cell: ({ position }) => position },
    {
      name: "Session",
      cell: ({ sessionId }) => (
        <Link href={href(`/s/${sessionId}`)} className="link mono">
          {sessionId}
        </Link>
      ),
    },
    {
      name: "Waits for",
      cell: (queued) => {
        const project = sessions.find(({ id }) => id === queued.sessionId)?.projectId ?? "";
        return describeWait(queued, capacity, project);
      },
    },
  ];
  return (
    <Panel
      title={
        queue.length === 0 ? "Queue" : `Why ${queue.length} ${queue.length === 1 ? "task is" : "tasks are"} waiting`
      }
    >
      {queue.length === 0 ? (
        <Empty title="Nothing is queued" />
      ) : (
        <Table label="Queue" columns={columns} rows={queue} keyOf={({ sessionId }) => sessionId} />
      )}
    </Panel>
  );
}

/** Asks again whenever the state of a session changed: that is what takes and frees slots. */
function useFreshCapacity(): void {
  const queries = useQueryClient();
  const { data } = useQuery(sessionsQuery());
  const mark = data?.data.map(({ id, status }) => `${id}=${status}`).join();
  useEffect(() => {
    if (mark !== undefined) void queries.invalidateQueries({ queryKey: ["capacity"] });
  }, [queries, mark]);
}
