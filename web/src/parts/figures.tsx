import "./figures.css";
import type { ReactNode } from "react";

export interface Figure {
  readonly value: string;
  readonly label: string;
  /** One line of context. */
  readonly context: ReactNode;
  readonly tone?: "bad" | "you";
}

/** A row of figures, each with its label and one line of context. */
export function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <dl className="figures">
      {figures.map(({ value, label, context, tone }) => (
        <div key={label} className="figure">
          <dt className="figure-label">{label}</dt>
          <dd className={`figure-value ${tone ?? ""}`}>{value}</dd>
          <dd className="figure-context">{context}</dd>
        </div>
      ))}
    </dl>
  );
}
