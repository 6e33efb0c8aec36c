import { ChevronRight } from "lucide-react";
import type { SessionGroup } from "./group-sessions.ts";

interface Props {
  readonly group: Pick<SessionGroup, "key" | "title" | "summary"> & { readonly sessions: readonly unknown[] };
  readonly isCollapsed: boolean;
  readonly onToggle: (key: string) => void;
  /** The column names are above the first group of rows. */
  readonly hasColumns: boolean;
}

/** The line above a group; its summary replaces a collapsed group. */
export function GroupHeader({ group, isCollapsed, onToggle, hasColumns }: Props) {
  const { key, title, summary, sessions } = group;
  return (
    <div className="row group-header">
      <h2 className="group-title">
        <button type="button" className="text-button" aria-expanded={!isCollapsed} onClick={() => onToggle(key)}>
          <ChevronRight size={12} aria-hidden="true" />
          <span className="strong">{title}</span> <span className="small ink-3">{sessions.length}</span>{" "}
          <span className="small ink-3">{summary}</span>
        </button>
      </h2>
      {hasColumns ? (
        <>
          <span className="row-signal micro ink-3">Signal</span>
          <span className="row-agent micro ink-3">Agent</span>
          <span className="row-cost micro ink-3">Cost</span>
          <span className="row-age micro ink-3">Age</span>
        </>
      ) : null}
    </div>
  );
}
