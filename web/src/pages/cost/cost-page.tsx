import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { costsQuery } from "../../data/cost-queries.ts";
import { sessionsQuery } from "../../data/queries.ts";
import { useNow } from "../../lib/now.ts";
import { oneOf, useParam, useProject } from "../../lib/url-state.ts";
import { Figures } from "../../parts/figures.tsx";
import { Columns, PageHeader } from "../../parts/page-layout.tsx";
import { Segments } from "../../parts/segments.tsx";
import { dayOf, firstDay, RANGES, UNITS } from "./cost-figures.ts";
import { DayPanel, ModelPanel, PullRequestPanel, type Scope, SessionPanel } from "./cost-panels.tsx";
import { listFigures } from "./list-figures.ts";
import { OutcomePanel } from "./outcome-panel.tsx";

const RANGE_LABELS = [
  { value: "1d", label: "Today" },
  { value: "7d", label: "7 days" },
  { value: "28d", label: "28 days" },
  { value: "all", label: "All" },
] as const;
const UNIT_LABELS = [
  { value: "money", label: "Money" },
  { value: "tokens", label: "Tokens" },
] as const;

/** The fleet's costs: by day, by pull request, by model, by session. */
export function CostPage() {
  const [since, setSince] = useParam("since");
  const [unitParam, setUnit] = useParam("unit");
  const project = useProject();
  const today = dayOf(useNow());
  const range = oneOf(RANGES, since);
  const unit = oneOf(UNITS, unitParam);
  const scope: Scope = { range, unit, project, since: firstDay(range, Date.parse(today)), now: Date.parse(today) };
  useFreshCosts();
  const days = useQuery(costsQuery({ by: "day", since: scope.since, project }));
  const changes = useQuery(costsQuery({ by: "pull-request", since: scope.since, project }));
  const outcomes = useQuery(costsQuery({ by: "outcome", since: scope.since, project }));
  return (
    <main>
      <PageHeader title="Cost" aside={days.data === undefined ? null : describePrices(days.data.pricesDate)}>
        <Segments label="Time" options={RANGE_LABELS} value={range} onChange={setSince} />
        <Segments label="Unit" options={UNIT_LABELS} value={unit} onChange={setUnit} />
      </PageHeader>
      {days.data === undefined ? null : (
        <Figures
          figures={listFigures({
            days: days.data,
            pullRequests: changes.data ?? null,
            outcomes: outcomes.data ?? null,
            today,
            range,
            unit,
          })}
        />
      )}
      <Columns
        left={<DayPanel scope={scope} />}
        right={
          <>
            <PullRequestPanel scope={scope} />
            <OutcomePanel scope={scope} />
          </>
        }
      />
      <Columns left={<ModelPanel scope={scope} />} right={<SessionPanel scope={scope} />} />
    </main>
  );
}

function describePrices(date: string): string {
  return `~ estimated from list prices of ${date}; tokens without a price are not included`;
}

/** Refetches whenever the fleet has spent something. */
function useFreshCosts(): void {
  const queries = useQueryClient();
  const { data } = useQuery(sessionsQuery());
  const spent = data?.fleet.costToday;
  const mark = spent === undefined ? null : `${spent.costUsd}/${spent.inputTokens}/${spent.outputTokens}`;
  useEffect(() => {
    if (mark !== null) void queries.invalidateQueries({ queryKey: ["costs"] });
  }, [queries, mark]);
}
