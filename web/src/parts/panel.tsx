import "./panel.css";
import type { ReactNode } from "react";
import { Failure } from "./failure-notice.tsx";

interface Props {
  readonly title: string;
  /** One line beside the title. */
  readonly note?: ReactNode;
  /** Content at the right end of the title. */
  readonly aside?: ReactNode;
  /** Shown instead of the content; the rest of the page keeps working. */
  readonly error?: Error | null;
  readonly onRetry?: (() => void) | undefined;
  readonly children?: ReactNode;
}

/** A part of a page with its heading. */
export function Panel({ title, note, aside, error = null, onRetry, children }: Props) {
  return (
    <section className="panel" aria-label={title}>
      <header className="panel-header">
        <h2 className="strong">{title}</h2>
        <span className="small ink-3">{note}</span>
        {aside === undefined ? null : <span className="panel-aside">{aside}</span>}
      </header>
      {error === null ? children : <Failure error={error} onRetry={onRetry} />}
    </section>
  );
}
