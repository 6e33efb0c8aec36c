import type { SessionDetailView } from "../../../../src/protocol/views/session.ts";
import { KeyCap } from "../../parts/key-cap.tsx";
import { LineCounts } from "../../parts/line-counts.tsx";

export const TABS = ["transcript", "terminal", "diff", "events", "details"] as const;
export type Tab = (typeof TABS)[number];

const LABELS: Readonly<Record<Tab, string>> = {
  transcript: "Transcript",
  terminal: "Terminal",
  diff: "Diff",
  events: "Events",
  details: "Details",
};

interface Props {
  readonly session: SessionDetailView;
  readonly tab: Tab;
  readonly onTab: (tab: Tab) => void;
  /** On narrow screens the details are a tab. */
  readonly isPhone: boolean;
  readonly isFollowing: boolean;
  readonly onFollow: () => void;
}

export function SessionTabs({ session, tab, onTab, isPhone, isFollowing, onFollow }: Props) {
  const shown = isPhone ? TABS.filter((one) => one !== "events") : TABS.filter((one) => one !== "details");
  return (
    <div className="session-tabs">
      <div role="tablist" aria-label="Views of the session" className="session-tabs-list">
        {shown.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            className="session-tab"
            aria-selected={one === tab}
            aria-controls="session-panel"
            onClick={() => onTab(one)}
          >
            {LABELS[one]}
            {one === "diff" && session.lines !== null ? <LineCounts {...session.lines} /> : null}
          </button>
        ))}
      </div>
      {tab === "transcript" ? (
        <button type="button" className="session-follow" aria-pressed={isFollowing} onClick={onFollow}>
          {isFollowing ? "following" : "follow"} <KeyCap keys="f" isPlain />
        </button>
      ) : null}
    </div>
  );
}
