import "./capacity-page.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link } from "wouter";
import type { CapacityView } from "../../../../src/protocol/views/capacity.ts";
import { capacityQuery } from "../../data/capacity-query.ts";
import { sessionsQuery } from "../../data/queries.ts";
import { useNow } from "../../lib/now.ts";
import { useHref } from "../../lib/url-state.ts";
import { Empty } from "../../parts/empty.tsx";
import { Failure } from "../../parts/failure-notice.tsx";
import { Figures } from "../../parts/figures.tsx";
import { Columns, PageHeader } from "../../parts/page-layout.tsx";
import { Panel } from "../../parts/panel.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Untrusted } from "../../parts/untrusted.tsx";
import { describeLimit, describeWait, listFigures, slotKinds } from "./describe-capacity.ts";
import { describeWindow, type WindowRow, windowRows } from "./rate-windows.ts";
import { WindowChart } from "./window-chart.tsx";

type Agent = CapacityView["agents"][number];
type Project = CapacityView["projects"][number];

/** How many agents work at once, what blocks others, and what waits for a slot. */
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
          <Panel title="Agents" note="slots in use, and how much of each rate-limit window is used">
            <Table
              label="Agents"
              columns={AGENT_COLUMNS}
              rows={windowRows(data.agents)}
              keyOf={({ agent, window }) => `${agent.agent} ${window?.name}`}
            />
          </Panel>
          <Columns
            left={
              <Panel title="Projects" note="agents that hold a slot; idle ones hold none">
                <Table label="Projects" columns={PROJECT_COLUMNS} rows={data.projects} keyOf={(one) => one.projectId} />
              </Panel>
            }
            right={<QueuePanel capacity={data} />}
          />
        </>
      )}
    </main>
  );
}

const AGENT_COLUMNS: readonly Column<WindowRow>[] = [
  {
    name: "Agent",
    cell: ({ agent, isFirst }) => (isFirst ? <Untrusted text={agent.agent} className="strong" /> : null),
  },
  { name: "Slots", cell: ({ agent, isFirst }) => (isFirst ? <Slots agent={agent} /> : null) },
  { name: "Limit", cell: (row) => <Limit {...row} /> },
  {
    name: "Window",
    cell: ({ window }) =>
      window === null ? <span className="ink-3">not reported</span> : <Untrusted text={window.name} />,
  },
  {
    name: "Used",
    cell: ({ window }) => (window === null ? null : <span className="strong">{Math.round(window.usedPercent)}%</span>),
    isNumber: true,
  },
  { name: "Last hour", cell: ({ window }) => (window === null ? null : <WindowChart window={window} />) },
];

const PROJECT_COLUMNS: readonly Column<Project>[] = [
  { name: "Project", cell: ({ projectId }) => <Link href={`/p/${projectId}`}>{projectId}</Link> },
  { name: "At work", cell: ({ used, limit }) => (limit === null ? used : `${used} of ${limit}`), isNumber: true },
  { name: "Queued", cell: ({ queued }) => queued, isNumber: true },
];

function Slots({ agent }: { readonly agent: Agent }) {
  const kinds = slotKinds(agent);
  const resting = agent.idle + agent.waiting;
  const text = `${agent.working} working, ${agent.idle} idle, ${agent.waiting} waiting for you, ${agent.rateLimited} rate limited`;
  return (
    <span className="slots" title={text}>
      <span className="visually-hidden">{text}</span>
      {kinds.map((kind, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: squares have no identity
        <span key={index} className={`slot slot-${kind}`} aria-hidden="true" />
      ))}
      {resting === 0 ? null : (
        <span className="ink-3" aria-hidden="true">
          {resting} without a slot
        </span>
      )}
    </span>
  );
}

/** What blocks the agents now, and whether the window is enough for their work. */
function Limit({ agent, window, isFirst }: WindowRow) {
  const now = useNow((time) => Math.floor(time / 60_000) * 60_000);
  const held = isFirst ? describeLimit(agent) : null;
  const ahead = window === null ? null : describeWindow(window, now);
  return (
    <>
      {held === null ? null : <p className="you">{held}</p>}
      {ahead === null ? null : <p className={ahead.isBad ? "bad" : "ink-2"}>{ahead.text}</p>}
    </>
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

/** Refetches whenever a session's state changed, because that takes and frees slots. */
function useFreshCapacity(): void {
  const queries = useQueryClient();
  const { data } = useQuery(sessionsQuery());
  const mark = data?.data.map(({ id, status }) => `${id}=${status}`).join();
  useEffect(() => {
    if (mark !== undefined) void queries.invalidateQueries({ queryKey: ["capacity"] });
  }, [queries, mark]);
}
