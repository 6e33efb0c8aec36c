import "./notice.css";
import type { ReactNode } from "react";

interface Props {
  readonly tone?: "plain" | "bad" | "good" | "you";
  /** A way to undo or retry. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/**
 * What just happened, in the row or panel where it happened. Failures interrupt a screen reader, the rest waits for a
 * pause.
 */
export function Notice({ tone = "plain", action, children }: Props) {
  return (
    <div className={`notice small ${tone === "plain" ? "ink-2" : tone}`} role={tone === "bad" ? "alert" : "status"}>
      <span>{children}</span>
      {action}
    </div>
  );
}
