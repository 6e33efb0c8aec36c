import { memo } from "react";
import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { useRowNote } from "../../data/row-notes.ts";
import { restoreSession } from "../../data/session-writes.ts";
import { formatCost } from "../../lib/cost.ts";
import type { StripActivity, StripFrame } from "../../lib/strip-geometry.ts";
import { Ago } from "../../parts/ago.tsx";
import { CheckMarks } from "../../parts/check-marks.tsx";
import { PageLink } from "../../parts/page-link.tsx";
import { Strip } from "../../parts/strip.tsx";
import { Phrase, Untrusted } from "../../parts/untrusted.tsx";
import { LiveMark } from "./live-mark.tsx";
import { pullRequestPath, sessionPath } from "./need-buttons.ts";
import { onRowClick } from "./row-click.ts";

export interface RowProps {
  readonly session: SessionView;
  readonly activity: StripActivity | undefined;
  readonly frame: StripFrame;
  readonly isSelected: boolean;
  readonly isChecked: boolean;
  readonly onSelect: (id: string) => void;
}

const SOURCES: Readonly<Record<string, string>> = {
  protocol: "from its protocol",
  hook: "from its hooks",
  history: "from its history file",
  terminal: "read from its terminal",
};

/** A session that needs nobody. */
export const SessionRow = memo(function SessionRow(props: RowProps) {
  const { session, activity, frame, isSelected, isChecked, onSelect } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: j and k do the same by keyboard
    // biome-ignore lint/a11y/noStaticElementInteractions: a click anywhere in the row only moves the selection
    <div
      className="row"
      data-session={session.id}
      data-selected={isSelected || undefined}
      data-checked={isChecked || undefined}
      onClick={onRowClick(() => onSelect(session.id))}
    >
      <LiveMark session={session} />
      <PageLink href={sessionPath(session.id)} className="row-link">
        <Untrusted text={session.id} className="row-id mono ink-2 from-end" />
        <Untrusted text={session.title} className="row-title" />
      </PageLink>
      <Evidence session={session} />
      <span className="row-signal small ink-3">
        {session.lastSignalAt === null ? null : (
          <Ago at={session.lastSignalAt} about={`last signal ${SOURCES[session.signalSource ?? ""] ?? ""}`.trimEnd()} />
        )}
      </span>
      <PullRequestCells session={session} />
      <Strip activity={activity} frame={frame} />
      <span className="row-agent small ink-3">{session.agent}</span>
      <span className="row-cost small">{formatCost(session.cost)}</span>
      <Ago at={session.createdAt} className="row-age small ink-3" about="started" />
    </div>
  );
});

/** What it does; or the result of a person's last action on it. */
function Evidence({ session }: { readonly session: SessionView }) {
  const note = useRowNote(session.id);
  if (note === null) return <Phrase text={session.activity ?? session.evidence} className="row-evidence small ink-2" />;
  return (
    <span
      className={`row-evidence small one-line ${note.kind === "failed" ? "bad" : "ink-2"}`}
      role={note.kind === "failed" ? "alert" : "status"}
    >
      {note.text}{" "}
      {note.kind === "stopped" ? (
        <button type="button" className="text-button" onClick={() => void restoreSession(session)}>
          Restore <kbd>Shift R</kbd>
        </button>
      ) : null}
    </span>
  );
}

/** Number and checks of the open pull request, or of the last one. */
export function PullRequestCells({ session }: { readonly session: SessionView }) {
  const { pullRequests } = session;
  const shown = pullRequests.find(({ phase }) => phase === "open") ?? pullRequests.at(-1);
  return (
    <>
      <span className="row-pr mono ink-2">
        {shown === undefined ? null : <PageLink href={pullRequestPath(shown.key)}>#{shown.number}</PageLink>}
      </span>
      <span className="row-checks">{shown === undefined ? null : <CheckMarks checks={shown.checks} />}</span>
    </>
  );
}
