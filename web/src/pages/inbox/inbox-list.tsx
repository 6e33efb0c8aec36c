import type { InboxView } from "../../../../src/protocol/views/inbox.ts";
import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { needText, toSentence } from "../../lib/need-text.ts";
import { needOf } from "../../lib/state-of.ts";
import { withParams } from "../../lib/url-state.ts";
import { Ago } from "../../parts/ago.tsx";
import { PageLink } from "../../parts/page-link.tsx";
import { MarkShape } from "../../parts/state-mark.tsx";
import { Phrase, Untrusted } from "../../parts/untrusted.tsx";
import { inboxPath } from "../../shell/step-need.ts";
import { LONG_WAIT_MS } from "../fleet/session-block.tsx";
import type { EntryGroup } from "./group-entries.ts";

export const SHOWS = ["open", "dismissed", "snoozed", "resolved"] as const;
export type Show = (typeof SHOWS)[number];
const TABS: Readonly<Record<Show, string>> = {
  open: "Open",
  dismissed: "Dismissed",
  snoozed: "Snoozed",
  resolved: "Resolved",
};

interface Props {
  readonly groups: readonly EntryGroup[];
  readonly sessions: readonly SessionView[];
  readonly shown: string | null;
  readonly show: Show;
  readonly count: number;
}

/** The entries at the left. */
export function InboxList({ groups, sessions, shown, show, count }: Props) {
  const bySession = new Map(sessions.map((session) => [session.id, session]));
  return (
    <nav className="inbox-list" aria-label="Entries">
      <InboxTabs show={show} count={count} />
      {groups.map(({ title, entries }) => (
        <section key={title} aria-label={title}>
          <h2 className="inbox-group">{title}</h2>
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} session={bySession.get(entry.sessionId)} isShown={entry.id === shown} />
          ))}
        </section>
      ))}
    </nav>
  );
}

export function InboxTabs({ show, count }: Pick<Props, "show" | "count">) {
  return (
    <p className="inbox-tabs">
      {SHOWS.map((one) => (
        <PageLink
          key={one}
          href={withParams("/inbox", { show: one === "open" ? null : one })}
          aria-current={one === show ? "true" : undefined}
        >
          {TABS[one]} {one === show ? <span className={one === "open" ? "you" : "ink-3"}>{count}</span> : null}
        </PageLink>
      ))}
    </p>
  );
}

interface EntryProps {
  readonly entry: InboxView;
  readonly session: SessionView | undefined;
  readonly isShown: boolean;
}

function Entry({ entry, session, isShown }: EntryProps) {
  const { mark, label } = needOf(entry.question?.kind ?? entry.kind);
  return (
    <PageLink href={inboxPath(entry.id)} className="inbox-entry" aria-current={isShown ? "true" : undefined}>
      <MarkShape mark={mark} />
      <span className="strong">{label}</span>
      <Ago at={entry.at} className="small ink-3" urgentAfter={LONG_WAIT_MS} />
      <Phrase text={textOf(entry, session)} className="inbox-need" />
      <span className="inbox-about">
        <Untrusted text={entry.sessionId} className="inbox-id mono from-end" />
        <Untrusted text={session?.title ?? ""} />
      </span>
    </PageLink>
  );
}

/** The need without the title, which is shown beside it. */
export function textOf(entry: InboxView, session: SessionView | undefined | null): string {
  if (session?.attention?.id === entry.id) return needText(session);
  const number = session?.pullRequests.find(({ key }) => key === entry.pullRequest)?.number;
  const title = `${number === undefined ? "" : `#${number} `}${session?.title ?? ""}: `;
  return toSentence(entry.text.startsWith(title) ? entry.text.slice(title.length) : entry.text);
}
