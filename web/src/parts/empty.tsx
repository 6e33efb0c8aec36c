import "./empty.css";
import type { ReactNode } from "react";

interface Props {
  readonly title: string;
  readonly children?: ReactNode;
}

/** A page or panel without content: what is missing, and what to do. */
export function Empty({ title, children }: Props) {
  return (
    <div className="empty">
      <p className="strong">{title}</p>
      <div className="ink-2">{children}</div>
    </div>
  );
}
