import "./fleet-footer.css";
import { useQuery } from "@tanstack/react-query";
import { useConnection } from "../../data/connection.ts";
import { positionQuery } from "../../data/queries.ts";
import { formatClock } from "../../lib/time.ts";

const KEYS = [
  ["j k", "move"],
  ["1–9", "answer"],
  ["o", "open"],
  ["m", "message"],
  ["Shift M", "merge"],
  ["?", "all keys"],
] as const;

const LEGEND = [
  ["past", "working"],
  ["question", "waiting for you"],
  ["failing", "failing"],
  ["passing", "passing"],
  ["merged", "merge"],
] as const;

/** The list's keys, the meaning of its colors, and whether it is current. */
export function FleetFooter() {
  return (
    <footer className="bar fleet-footer micro ink-3">
      {KEYS.map(([keys, text]) => (
        <span key={keys}>
          <kbd>{keys}</kbd> {text}
        </span>
      ))}
      <span className="fleet-legend">
        {LEGEND.map(([kind, text]) => (
          <span key={kind}>
            <i className={`legend-${kind}`} />
            {text}
          </span>
        ))}
      </span>
      <Currency />
    </footer>
  );
}

function Currency() {
  const { state, heardAt } = useConnection();
  const position = useQuery(positionQuery()).data ?? 0;
  const isLost = state === "lost" && heardAt !== null;
  return (
    <span className="fleet-currency">
      <i className={isLost ? "currency-lost" : "currency-live"} />
      {isLost ? `as of ${formatClock(heardAt, { seconds: true })}` : `live, event ${position.toLocaleString("en-US")}`}
    </span>
  );
}
