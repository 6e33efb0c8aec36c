import { CornerDownRight, FilePen, Files, GitCommitHorizontal, SquareTerminal, User, Wrench } from "lucide-react";
import { memo, type ReactNode, useState } from "react";
import type { MessageView } from "../../../../../src/protocol/views/session.ts";
import { formatClock, formatExact } from "../../../lib/time.ts";
import { DeliveryMark } from "../../../parts/delivery-mark.tsx";
import { Markdown } from "../../../parts/markdown.tsx";
import { Phrase, Untrusted, UntrustedBlock } from "../../../parts/untrusted.tsx";
import { ToolLine } from "./tool-line.tsx";
import { describeAbout, type TranscriptRow } from "./transcript-rows.ts";

type RowOf<K extends TranscriptRow["kind"]> = Extract<TranscriptRow, { readonly kind: K }>;

interface Props {
  readonly row: TranscriptRow;
  /** The delivery state of the message in this row; null: no longer known. */
  readonly delivery: MessageView | null;
  readonly issue: string | null;
}

/** One entry: when, who, what. */
export const TranscriptRowView = memo(function TranscriptRowView({ row, delivery, issue }: Props) {
  return (
    <li className="transcript-row" data-at={row.at === null ? undefined : Date.parse(row.at)}>
      {row.at === null ? (
        <span className="transcript-when" />
      ) : (
        <time className="transcript-when" dateTime={row.at} title={formatExact(row.at)}>
          {formatClock(row.at)}
        </time>
      )}
      <Glyph row={row} />
      <div className={row.kind === "tools" ? "transcript-body transcript-tools" : "transcript-body"}>
        <Content row={row} delivery={delivery} issue={issue} />
      </div>
    </li>
  );
});

function Glyph({ row }: { readonly row: TranscriptRow }) {
  const icon = iconOf(row);
  if (icon === null) return <span className="transcript-glyph transcript-glyph-ao">ao</span>;
  return (
    <span className={row.kind === "say" ? "transcript-glyph live" : "transcript-glyph"} aria-hidden>
      {icon}
    </span>
  );
}

const TOOL_ICONS = { read: Files, edit: FilePen, run: SquareTerminal, other: Wrench } as const;

/** null: ao itself. */
function iconOf(row: TranscriptRow): ReactNode {
  switch (row.kind) {
    case "say":
    case "question":
      return <CornerDownRight size={14} />;
    case "end":
      return row.text === null ? null : <CornerDownRight size={14} />;
    case "tools": {
      const Icon = TOOL_ICONS[row.lines[0]?.[0]?.verb ?? "other"];
      return <Icon size={14} />;
    }
    case "output":
      return <SquareTerminal size={14} />;
    case "message":
      return row.from === "ao" || row.isTask ? null : <User size={14} />;
    case "event":
      return row.type === "branch.seen" ? <GitCommitHorizontal size={14} /> : null;
  }
}

function Content({ row, delivery, issue }: Props) {
  switch (row.kind) {
    case "say":
      return <Markdown text={row.text} />;
    case "tools":
      return row.lines.map((calls) => <ToolLine key={calls[0]?.id} calls={calls} />);
    case "output":
      return <Folded text={row.text} keep={12} />;
    case "message":
      return <Message row={row} delivery={delivery} issue={issue} />;
    case "question":
      return <Question row={row} />;
    case "end":
      return <End row={row} />;
    case "event":
      return (
        <span className={row.level === "info" ? "ink-2" : row.level}>
          <Phrase text={capitalize(row.text)} />
        </span>
      );
  }
}

function Message({ row, delivery, issue }: Omit<Props, "row"> & { readonly row: RowOf<"message"> }) {
  return (
    <div className="transcript-quote">
      <div className="transcript-head">
        <strong className="strong">{titleOf(row, issue)}</strong>
        {row.about === null ? null : <Untrusted text={describeAbout(row.about)} />}
        {delivery === null ? null : (
          <DeliveryMark delivery={delivery.delivery} time={formatClock(delivery.at, { seconds: true })} />
        )}
      </div>
      <Folded text={row.text} keep={row.from === "ao" || row.isTask ? 4 : 40} />
    </div>
  );
}

function titleOf({ from, isTask }: RowOf<"message">, issue: string | null): string {
  if (isTask) return issue === null ? "Task" : `Task from issue ${issue}`;
  if (from === "ao") return "Sent to the agent:";
  return from === "terminal" ? "Typed in the terminal" : "You";
}

function Question({ row: { question, answer } }: { readonly row: RowOf<"question"> }) {
  return (
    <>
      <UntrustedBlock text={question.question} />
      {question.detail === null ? null : <Folded text={question.detail.text} keep={6} />}
      <p className="small ink-3">{answer === null ? "Not answered." : <Untrusted text={`Answered: ${answer}`} />}</p>
    </>
  );
}

function End({ row: { outcome, text } }: { readonly row: RowOf<"end"> }) {
  if (text !== null) return <Markdown text={text} />;
  return <span className={outcome === "failed" ? "bad" : "ink-2"}>{capitalize(`turn ${outcome}`)}</span>;
}

/** A text that shows only its first lines until expanded. */
function Folded({ text, keep }: { readonly text: string; readonly keep: number }) {
  const [isOpen, setOpen] = useState(false);
  const lines = text.trimEnd().split("\n");
  const isLong = lines.length > keep + 1;
  return (
    <>
      <p className="transcript-text">
        <UntrustedBlock text={isLong && !isOpen ? lines.slice(0, keep).join("\n") : lines.join("\n")} />
      </p>
      {isLong ? (
        <button type="button" className="transcript-more" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? "show less" : `… ${lines.length - keep} more lines`}
        </button>
      ) : null}
    </>
  );
}

// The product's name stays lower case, even at the start of a sentence.
function capitalize(text: string): string {
  if (/^ao\b/.test(text)) return text;
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
