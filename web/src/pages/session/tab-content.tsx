import { lazy, Suspense } from "react";
import type { SessionDetailView } from "../../../../src/protocol/views/session.ts";
import { EventsTab } from "./events-tab.tsx";
import { Inspector } from "./inspector/inspector.tsx";
import type { Tab } from "./session-tabs.tsx";
import { Transcript } from "./transcript/transcript.tsx";

const DiffTab = lazy(() => import("./diff-tab.tsx").then((m) => ({ default: m.DiffTab })));

const TerminalTab = lazy(() => import("./terminal/terminal-tab.tsx").then((m) => ({ default: m.TerminalTab })));

interface Props {
  readonly session: SessionDetailView;
  readonly tab: Tab;
  readonly at: number | null;
  readonly isFollowing: boolean;
  readonly onFollow: (isFollowing: boolean) => void;
}

/** The diff and the terminal need their own libraries, so they are loaded when opened. */
export function TabContent({ session, tab, at, isFollowing, onFollow }: Props) {
  switch (tab) {
    case "transcript":
      return <Transcript session={session} at={at} isFollowing={isFollowing} onFollow={onFollow} />;
    case "events":
      return <EventsTab session={session} at={at} />;
    case "diff":
      return (
        <Suspense fallback={null}>
          <DiffTab session={session} />
        </Suspense>
      );
    case "details":
      return (
        <div className="session-inspector">
          <Inspector session={session} />
        </div>
      );
    case "terminal":
      return (
        <Suspense fallback={null}>
          <TerminalTab session={session} />
        </Suspense>
      );
  }
}
