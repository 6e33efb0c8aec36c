import "./session-page.css";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { SessionDetailView } from "../../../../src/protocol/views/session.ts";
import { sessionQuery } from "../../data/queries.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { oneOf, useParam } from "../../lib/url-state.ts";
import { useIsPhone } from "../../lib/use-is-phone.ts";
import { Failure } from "../../parts/failure-notice.tsx";
import { Dock } from "./dock.tsx";
import { Inspector } from "./inspector/inspector.tsx";
import { SessionHeader } from "./session-header.tsx";
import { SessionStrip } from "./session-strip.tsx";
import { SessionTabs, TABS, type Tab } from "./session-tabs.tsx";
import { TabContent } from "./tab-content.tsx";
import { useCopy } from "./use-copy.ts";
import { useSessionActions } from "./use-session-actions.ts";
import { useSessionKeys } from "./use-session-keys.ts";

export function SessionPage({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(sessionQuery(id));
  if (data !== undefined) return <Session key={id} session={data} />;
  return (
    <main className="page">
      <h1 className="visually-hidden">{id}</h1>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
    </main>
  );
}

function Session({ session }: { readonly session: SessionDetailView }) {
  const isPhone = useIsPhone();
  usePageTitle(`${session.question === null ? "" : "? "}${session.title} - ${session.id}`);
  const [tabParam, setTab] = useParam("tab");
  const [at, setAt] = useParam("at");
  const [isFollowing, setFollowing] = useState(at === null);
  const tab: Tab = oneOf(TABS, tabParam);
  const shown = tab === "details" && !isPhone ? "transcript" : tab;
  const actions = useSessionActions(session);
  const copy = useCopy(session.workspacePath);
  const field = useSessionKeys({
    session,
    actions,
    onCopy: copy.run,
    onTerminal: () => setTab("terminal"),
    onFollow: () => {
      setAt(null, { replace: true });
      setFollowing(!isFollowing);
    },
  });
  return (
    <main className="session">
      <SessionHeader session={session} actions={actions} copy={copy} />
      <SessionStrip
        session={session}
        onMoment={(moment) => {
          setFollowing(false);
          setAt(String(moment));
        }}
      />
      <div className="session-main">
        <SessionTabs
          session={session}
          tab={shown}
          onTab={setTab}
          isPhone={isPhone}
          isFollowing={isFollowing}
          onFollow={() => setFollowing(!isFollowing)}
        />
        <div className="session-panel" role="tabpanel" id="session-panel" aria-label={shown}>
          <TabContent
            session={session}
            tab={shown}
            at={at === null ? null : Number(at)}
            isFollowing={isFollowing}
            onFollow={setFollowing}
          />
        </div>
        {shown === "transcript" ? <Dock session={session} actions={actions} field={field} /> : null}
      </div>
      {isPhone ? null : (
        <aside className="session-inspector" aria-label="Details">
          <Inspector session={session} />
        </aside>
      )}
    </main>
  );
}
