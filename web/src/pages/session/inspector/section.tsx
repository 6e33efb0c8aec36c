import "./inspector.css";
import type { ReactNode } from "react";

interface Props {
  readonly title: ReactNode;
  readonly mark?: ReactNode;
  readonly aside?: ReactNode;
  readonly children?: ReactNode;
}

export function Section({ title, mark, aside, children }: Props) {
  return (
    <section className="inspector-section">
      <header className="inspector-head">
        {mark}
        <h2>{title}</h2>
        {aside === undefined ? null : <span className="inspector-aside">{aside}</span>}
      </header>
      {children}
    </section>
  );
}
