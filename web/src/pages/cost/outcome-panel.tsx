import "./outcome-panel.css";
import { useQuery } from "@tanstack/react-query";
import { costsQuery } from "../../data/cost-queries.ts";
import { Panel } from "../../parts/panel.tsx";
import { formatAmount } from "./cost-figures.ts";
import type { Scope } from "./cost-panels.tsx";
import { outcomeShares } from "./outcome-shares.ts";

/** Where it went: what was merged, what is still open, and what nobody merged. */
export function OutcomePanel({ scope }: { readonly scope: Scope }) {
  const { unit } = scope;
  const { data, error, refetch } = useQuery(costsQuery({ by: "outcome", ...scope }));
  const shares = outcomeShares(data?.data ?? [], unit);
  if (error === null && shares.length === 0) return null;
  return (
    <Panel title="Where it went" error={error} onRetry={() => void refetch()}>
      <div className="outcome-bar" aria-hidden="true">
        {shares.map(({ row, share }) => (
          <i key={row.key} className={`outcome-${row.key}`} style={{ flexGrow: share }} />
        ))}
      </div>
      <ul className="outcome-list small">
        {shares.map(({ row, label, share }) => (
          <li key={row.key}>
            <i className={`outcome-${row.key}`} /> {label} {Math.round(share * 100)}%{" "}
            <span className="ink-3">{formatAmount(row, unit)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
