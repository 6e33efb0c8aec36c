import "./cost-page.css";
import { useQuery } from "@tanstack/react-query";
import type { CostRowView } from "../../../../src/protocol/views/cost.ts";
import { costsQuery } from "../../data/cost-queries.ts";
import { ChartPanel } from "../../parts/chart.tsx";
import { Empty } from "../../parts/empty.tsx";
import { PageLink } from "../../parts/page-link.tsx";
import { Panel } from "../../parts/panel.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Untrusted } from "../../parts/untrusted.tsx";
import { sessionPath } from "../fleet/need-buttons.ts";
import { amountOf, byAmount, fillDays, formatAmount, medianOf, type Range, type Unit } from "./cost-figures.ts";
import { DayChart } from "./day-chart.tsx";
import { DotChart } from "./dot-chart.tsx";

/** Which costs the page shows, and in which unit. */
export interface Scope {
  readonly range: Range;
  readonly unit: Unit;
  readonly project: string | null;
  readonly since: string | null;
  readonly now: number;
}

const MOST_ROWS = 8;
const amount = (unit: Unit): Column<CostRowView> => ({
  name: unit === "money" ? "Cost" : "Tokens",
  cell: (row) => formatAmount(row, unit),
  isNumber: true,
});
const title: Column<CostRowView> = {
  name: "Title",
  cell: ({ title: text }) => (text === null ? null : <Untrusted text={text} />),
  isName: true,
};
const id: Column<CostRowView> = {
  name: "Session",
  cell: ({ key }) => (
    <PageLink href={sessionPath(key)} className="link">
      <Untrusted text={key} className="cost-session mono from-end" />
    </PageLink>
  ),
};
const sessions: Column<CostRowView> = { name: "Sessions", cell: (row) => row.sessions, isNumber: true };
const keyOf = ({ key }: CostRowView): string => key;

export function DayPanel({ scope }: { readonly scope: Scope }) {
  const { data, error, refetch } = useQuery(costsQuery({ by: "day", ...scope }));
  const rows = data?.data ?? [];
  const days = fillDays(rows, scope);
  const columns = [{ name: "Day (UTC)", cell: keyOf }, sessions, amount(scope.unit)];
  return (
    <ChartPanel
      title="By day"
      note="days are in UTC"
      summary={`${days.length} days, ${data === undefined ? "loading" : formatAmount(data.total, scope.unit)} in all`}
      error={error}
      onRetry={() => void refetch()}
      chart={<DayChart days={days} unit={scope.unit} />}
      table={<Table label="Cost by day" columns={columns} rows={rows} keyOf={keyOf} />}
    />
  );
}

export function PullRequestPanel({ scope }: { readonly scope: Scope }) {
  const { unit } = scope;
  const { data, error, refetch } = useQuery(costsQuery({ by: "pull-request", ...scope }));
  const rows = byAmount(data?.data ?? [], unit);
  const values = rows.map((row) => amountOf(row, unit)).filter((value) => value !== null && value > 0);
  const median = medianOf(values);
  const columns = [{ name: "Pull request", cell: keyOf }, title, amount(unit)];
  const table = <Table label="Cost by pull request" columns={columns} rows={rows} keyOf={keyOf} />;
  if (median === null) {
    return (
      <Panel title="Per pull request" error={error} onRetry={() => void refetch()}>
        {rows.length > 0 ? table : <Empty title="No pull request yet" />}
      </Panel>
    );
  }
  return (
    <ChartPanel
      title="Per pull request"
      note={`${rows.length} with a cost, one dot each`}
      summary={`Median of ${values.length} pull requests`}
      error={error}
      onRetry={() => void refetch()}
      chart={<DotChart values={values.filter((value) => value !== null)} median={median} unit={unit} />}
      table={table}
    />
  );
}

export function ModelPanel({ scope }: { readonly scope: Scope }) {
  const { data, error, refetch } = useQuery(costsQuery({ by: "model", ...scope }));
  const rows = byAmount(data?.data ?? [], scope.unit);
  const most = Math.max(...rows.map((row) => amountOf(row, scope.unit) ?? 0), 0);
  const bar: Column<CostRowView> = {
    name: "Spent",
    cell: (row) => (
      <progress
        className="cost-bar"
        max={most === 0 ? 1 : most}
        value={amountOf(row, scope.unit) ?? 0}
        aria-hidden="true"
      />
    ),
  };
  const columns = [
    { name: "Model", cell: (row: CostRowView) => <Untrusted text={row.key} className="strong" /> },
    bar,
    sessions,
    amount(scope.unit),
  ];
  return (
    <Panel title="By model" error={error} onRetry={() => void refetch()}>
      {rows.length === 0 ? (
        <Empty title="No model has been used" />
      ) : (
        <Table label="Cost by model" {...{ columns, rows, keyOf }} />
      )}
    </Panel>
  );
}

export function SessionPanel({ scope }: { readonly scope: Scope }) {
  const { data, error, refetch } = useQuery(costsQuery({ by: "session", ...scope }));
  const rows = byAmount(data?.data ?? [], scope.unit);
  const columns = [title, id, amount(scope.unit)];
  const note = rows.length > MOST_ROWS ? `${MOST_ROWS} of ${rows.length}` : undefined;
  return (
    <Panel title="Costliest sessions" note={note} error={error} onRetry={() => void refetch()}>
      {rows.length === 0 ? (
        <Empty title="No session has used tokens" />
      ) : (
        <Table label="Costliest sessions" columns={columns} rows={rows.slice(0, MOST_ROWS)} keyOf={keyOf} />
      )}
    </Panel>
  );
}
