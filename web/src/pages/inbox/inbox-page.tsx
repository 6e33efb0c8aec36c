import "./inbox.css";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation } from "wouter";
import type { InboxView } from "../../../../src/protocol/views/inbox.ts";
import { putOffQuery } from "../../data/fleet-queries.ts";
import { inboxQuery, sessionsQuery } from "../../data/queries.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { oneOf, useHref, useParam, useProject } from "../../lib/url-state.ts";
import { Empty } from "../../parts/empty.tsx";
import { inboxPath } from "../../shell/step-need.ts";
import { useMedia } from "../fleet/use-axis.ts";
import { groupEntries } from "./group-entries.ts";
import { InboxDetail } from "./inbox-detail.tsx";
import { InboxList, SHOWS, type Show } from "./inbox-list.tsx";
import { Resolved } from "./resolved.tsx";
import { useInboxKeys } from "./use-inbox-keys.ts";

type Listed = Exclude<Show, "resolved">;

/** What needs a person now, or needed one. */
export function InboxPage({ id }: { readonly id: string | null }) {
  const show = oneOf(SHOWS, useParam("show")[0]);
  usePageTitle("Inbox");
  return show === "resolved" ? <Resolved /> : <Entries id={id} show={show} />;
}

/** Everything that needs a person, and the details of one entry. */
function Entries({ id, show }: { readonly id: string | null; readonly show: Listed }) {
  const entries = useEntries(show);
  const sessions = useQuery(sessionsQuery()).data?.data ?? [];
  const isPhone = useMedia("(max-width: 719px)");
  const groups = groupEntries(entries ?? []);
  const ordered = groups.flatMap((group) => group.entries);
  const shown = ordered.find((entry) => entry.id === id) ?? (isPhone ? undefined : ordered[0]);
  const session = sessions.find((one) => one.id === shown?.sessionId) ?? null;
  useInboxKeys({ ids: ordered.map((entry) => entry.id), shown: shown ?? null, session });
  useFallback(id, shown);
  return (
    <main className="inbox" data-one={isPhone && id !== null ? "" : undefined}>
      <h1 className="visually-hidden">Inbox</h1>
      <InboxList groups={groups} sessions={sessions} shown={shown?.id ?? null} show={show} count={ordered.length} />
      {shown !== undefined ? <InboxDetail key={shown.id} entry={shown} session={session} /> : null}
      {entries?.length === 0 ? <NothingHere show={show} /> : null}
    </main>
  );
}

function NothingHere({ show }: { readonly show: Listed }) {
  if (show !== "open") return <Empty title={`Nothing is ${show}`} />;
  return <Empty title="Inbox is empty">Agents work on their own; what needs you shows up here.</Empty>;
}

/** The entries of a tab and of the chosen project; undefined: not loaded. */
function useEntries(show: Listed): readonly InboxView[] | undefined {
  const project = useProject();
  const open = useQuery(inboxQuery());
  const putOff = useQuery({ ...putOffQuery(show === "open" ? "dismissed" : show), enabled: show !== "open" });
  const { data } = show === "open" ? open : putOff;
  return data?.data.filter((entry) => project === null || entry.projectId === project);
}

/** The URL of a resolved entry leads to the list. */
function useFallback(id: string | null, shown: InboxView | undefined): void {
  const [, navigate] = useLocation();
  const href = useHref();
  const isGone = id !== null && shown !== undefined && shown.id !== id;
  useEffect(() => {
    if (isGone && shown !== undefined) navigate(href(inboxPath(shown.id)), { replace: true });
  }, [isGone, shown, navigate, href]);
}
