import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AuditEntryView } from "../../../../src/protocol/views/audit.ts";
import { auditQuery } from "../../data/settings-queries.ts";
import { useNow } from "../../lib/now.ts";
import { formatExact, formatMoment } from "../../lib/time.ts";
import { Empty } from "../../parts/empty.tsx";
import { Failure } from "../../parts/failure-notice.tsx";
import { Segments } from "../../parts/segments.tsx";
import { Table } from "../../parts/table.tsx";
import { Untrusted } from "../../parts/untrusted.tsx";
import { Setting } from "./setting.tsx";

const OUTCOMES = [
  { value: "all", label: "All" },
  { value: "done", label: "Done" },
  { value: "refused", label: "Refused" },
  { value: "failed", label: "Failed" },
] as const;

/** The newest writes: who requested what, and the outcome. */
export function AuditLog() {
  const now = useNow();
  const [outcome, setOutcome] = useState<(typeof OUTCOMES)[number]["value"]>("all");
  const { data, error, refetch } = useQuery(auditQuery(outcome === "all" ? null : outcome));
  const columns = [
    {
      name: "When",
      cell: ({ at }: AuditEntryView) => <span title={formatExact(at)}>{formatMoment(at, now)}</span>,
    },
    { name: "Who", cell: ({ by }: AuditEntryView) => <Untrusted text={`${by.kind} ${by.name}`.trim()} /> },
    {
      name: "Outcome",
      cell: ({ outcome: end, code }: AuditEntryView) => (
        <span className={end === "done" ? "" : "bad"}>{code === null ? end : `${end}: ${code}`}</span>
      ),
    },
    { name: "Call", cell: ({ call }: AuditEntryView) => <Untrusted className="mono" text={call} /> },
  ];
  return (
    <>
      <Setting name="Writes" about="Through the CLI, the dashboard and the API; newest 100">
        <Segments label="Outcome" options={OUTCOMES} value={outcome} onChange={setOutcome} />
      </Setting>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data?.data.length === 0 ? <Empty title="No writes recorded" /> : null}
      {data === undefined || data.data.length === 0 ? null : (
        <Table label="Writes" columns={columns} rows={data.data} keyOf={({ id }) => id} />
      )}
    </>
  );
}
