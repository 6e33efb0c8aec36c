import { lazy, memo, Suspense } from "react";
import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { type RowNote, useRowNote } from "../../data/row-notes.ts";
import { formatCost, isReported } from "../../lib/cost.ts";
import { needText } from "../../lib/need-text.ts";
import { stateOf } from "../../lib/state-of.ts";
import { Ago } from "../../parts/ago.tsx";
import { PageLink } from "../../parts/page-link.tsx";
import { Strip } from "../../parts/strip.tsx";
import { Phrase, Untrusted } from "../../parts/untrusted.tsx";
import { hasOwnLine } from "./has-own-line.ts";
import { LiveMark } from "./live-mark.tsx";
import { NeedActions } from "./need-actions.tsx";
import { sessionPath } from "./need-buttons.ts";
import { onRowClick } from "./row-click.ts";
import { PullRequestCells, type RowProps } from "./session-row.tsx";

const MessageField = lazy(() => import("./message-field.tsx").then((m) => ({ default: m.MessageField })));

/** Longer waits are amber. */
const LONG_WAIT_MS = 30 * 60_000;
/** Shorter labels for a single line. */
const SHORT: Readonly<Record<string, string>> = {
  "Ready to merge": "Ready",
  "Needs review": "Review",
  "Not committed": "No commit",
  "Delivery unknown": "Unknown",
  "Not delivered": "Unsent",
  "Invalid config": "Config",
};

interface Props extends RowProps {
  readonly isOneLine: boolean;
  /** The message field is open. */
  readonly isWriting: boolean;
  readonly onWrite: (id: string | null) => void;
}

/** A session that needs a person: why, since when, what it blocks, and the buttons that resolve it. */
export const NeedRow = memo(function NeedRow(props: Props) {
  const { session, activity, frame, isSelected, isChecked, isOneLine, isWriting, onSelect, onWrite } = props;
  const note = useRowNote(session.id);
  const { label } = stateOf(session);
  const isShort = isOneLine && !isSelected;
  const kinds = [
    "row need",
    ...(isShort ? ["need-short"] : []),
    ...(hasOwnLine(session, isWriting) ? ["need-tall"] : []),
  ];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: j and k do the same by keyboard
    // biome-ignore lint/a11y/noStaticElementInteractions: a click anywhere in the row only moves the selection
    <div
      className={kinds.join(" ")}
      data-session={session.id}
      data-selected={isSelected || undefined}
      data-checked={isChecked || undefined}
      onClick={onRowClick(() => onSelect(session.id))}
    >
      <LiveMark session={session} />
      <span className="need-kind">
        <span className="strong one-line">{isShort ? (SHORT[label] ?? label) : label}</span>
        <Ago at={session.attention?.at ?? session.updatedAt} className="small ink-3" urgentAfter={LONG_WAIT_MS} />
      </span>
      <span className="need-what">
        {isShort ? <SessionLink session={session} /> : null}
        <Phrase text={needText(session)} className="strong need-text" />
        {isShort ? null : note === null ? <About session={session} /> : <Note session={session} note={note} />}
      </span>
      <PullRequestCells session={session} />
      <Strip activity={activity} frame={frame} />
      {isWriting ? (
        <Suspense fallback={null}>
          <MessageField session={session} onDone={() => onWrite(null)} />
        </Suspense>
      ) : (
        <NeedActions session={session} isSelected={isSelected} isBusy={note?.kind === "sending"} onWrite={onWrite} />
      )}
    </div>
  );
});

/** Its id, and its title where there is room. */
function SessionLink({ session, hasTitle = false }: { readonly session: SessionView; readonly hasTitle?: boolean }) {
  return (
    <PageLink href={sessionPath(session.id)} className="need-session">
      <Untrusted text={session.id} className="need-id mono ink-2 from-end" />
      {hasTitle ? <Untrusted text={session.title} /> : null}
    </PageLink>
  );
}

/** The second line: which session, what it blocks, what it changes, its cost. */
function About({ session }: { readonly session: SessionView }) {
  const { blocks, lines, cost } = session;
  return (
    <span className="need-about small ink-3">
      <SessionLink session={session} hasTitle />
      {blocks.length === 0 ? null : (
        <span className="need-part" title={blocks.join(", ")}>
          blocks <b className="ink-2">{blocks.length === 1 ? "1 task" : `${blocks.length} tasks`}</b>
        </span>
      )}
      {lines === null ? null : (
        <span className="need-part need-lines">
          {lines.files === 1 ? "1 file" : `${lines.files} files`}, <span className="good">+{lines.added}</span>{" "}
          <span className="bad">−{lines.removed}</span>
        </span>
      )}
      {isReported(cost) ? <span className="need-part">{formatCost(cost)}</span> : null}
    </span>
  );
}

/** The second line after an action: which session, and what became of the action. */
function Note({ session, note }: { readonly session: SessionView; readonly note: RowNote }) {
  const isFailed = note.kind === "failed";
  return (
    <span className="need-about small ink-3">
      <SessionLink session={session} />
      <span className={isFailed ? "one-line bad" : "one-line"} role={isFailed ? "alert" : "status"} title={note.text}>
        {note.text}
      </span>
    </span>
  );
}
