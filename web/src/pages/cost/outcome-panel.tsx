import "./outcome-panel.css";
import { useQuery } from "@tanstack/react-query";
import { costsQuery } from "../../data/cost-queries.ts";
import { Panel } from "../../parts/panel.tsx";
import { formatAmount } from "./cost-figures.ts";
import type { Scope } from "./cost-panels.tsx";
import { type OutcomeShare, outcomeShares } from "./outcome-shares.ts";

/** Where the money went: the outcome of the work, and what agents worked on. */
export function OutcomePanel({ scope }: { readonly scope: Scope }) {
  const outcomes = useQuery(costsQuery({ by: "outcome", ...scope }));
  const reasons = useQuery(costsQuery({ by: "reason", ...scope }));
  const { error, refetch } = outcomes.error === null ? reasons : outcomes;
  const parts = [outcomes, reasons].map(({ data }) => outcomeShares(data?.data ?? [], scope.unit));
  if (error === null && parts.flat().length === 0) return null;
  return (
    <Panel title="Where it went" error={error} onRetry={() => void refetch()}>
      {parts.map((shares) => (
        <Shares key={shares[0]?.row.key} shares={shares} unit={scope.unit} />
      ))}
    </Panel>
  );
}

function Shares({ shares, unit }: { readonly shares: readonly OutcomeShare[]; readonly unit: Scope["unit"] }) {
  return (
    <div className="outcome">
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
    </div>
  );
}
