import "./chart.css";
import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Panel } from "./panel.tsx";

interface Props {
  readonly title: string;
  readonly note?: ReactNode;
  /** What the chart shows, in one sentence. */
  readonly summary: string;
  readonly error?: Error | null;
  readonly onRetry?: () => void;
  readonly chart: ReactNode;
  readonly table: ReactNode;
}

/** A chart and the same numbers as a table, one at a time. */
export function ChartPanel({ title, note, summary, error = null, onRetry, chart, table }: Props) {
  const [isTable, setTable] = useState(false);
  return (
    <Panel
      title={title}
      note={note}
      error={error}
      onRetry={onRetry}
      aside={
        <Button kind="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          Table
        </Button>
      }
    >
      {isTable ? (
        table
      ) : (
        <figure className="chart">
          <figcaption className="visually-hidden">{summary}</figcaption>
          <div aria-hidden="true">{chart}</div>
        </figure>
      )}
    </Panel>
  );
}
