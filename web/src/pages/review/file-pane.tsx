import { type ReactNode, useEffect, useRef } from "react";
import { type ChangeData, getChangeKey, type ViewType } from "react-diff-view";
import type { PullRequestDetailView } from "../../../../src/protocol/views/pull-request.ts";
import { useShortcuts } from "../../keys/use-shortcuts.ts";
import { useParam } from "../../lib/url-state.ts";
import { Button } from "../../parts/button.tsx";
import { DiffFileView } from "../../parts/diff/diff-file.tsx";
import { type DiffFile, newLineOf } from "../../parts/diff/parse-diff.ts";
import { KeyCap } from "../../parts/key-cap.tsx";
import { LineCounts } from "../../parts/line-counts.tsx";
import { Untrusted } from "../../parts/untrusted.tsx";
import { CommentForm } from "./comment-form.tsx";
import { findLine, stepLine } from "./lines-of-file.ts";
import type { PendingComment } from "./pending-comments.ts";
import { Thread } from "./thread.tsx";
import { useCommenting } from "./use-commenting.ts";
import type { Since } from "./use-diff.ts";
import type { Review } from "./use-review.ts";
import { useView } from "./use-view.ts";

interface Props {
  readonly file: DiffFile;
  /** The commit on screen. */
  readonly head: string;
  readonly pullRequest: PullRequestDetailView;
  readonly review: Review;
  readonly since: Since;
  readonly isViewed: boolean;
  readonly onViewed: () => void;
}

/** One file of the pull request with the conversations on its lines. */
export function FilePane(props: Props) {
  const { file, since, isViewed, onViewed } = props;
  const [line, setLine] = useParam("line");
  const { view, toggleView } = useView();
  const selected = findLine(file, line === null ? null : Number(line));
  const commenting = useCommenting(selected, props.pullRequest.phase === "open");
  const pane = useRef<HTMLDivElement>(null);
  const choose = (change: ChangeData): void => {
    const number = newLineOf(change);
    if (number === null) return;
    setLine(String(number), { replace: true });
    commenting.open();
  };
  const step = (by: 1 | -1) => () => {
    const next = stepLine(file, selected, by);
    if (next !== null) setLine(String(next), { replace: true });
  };
  useShortcuts({
    next: step(1),
    previous: step(-1),
    comment: commenting.open,
    split: toggleView,
    since: () => since.toggle?.() ?? since.toggle !== null,
  });
  useEffect(() => {
    if (line !== null) pane.current?.querySelector(".diff-line-selected")?.scrollIntoView({ block: "nearest" });
  }, [line]);
  return (
    <>
      <FileHead file={file} since={since} view={view} onView={toggleView} isViewed={isViewed} onViewed={onViewed} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <div className="review-diff" ref={pane} tabIndex={0}>
        <Elsewhere {...props} />
        <DiffFileView
          file={file}
          view={view}
          selected={selected === null ? null : getChangeKey(selected)}
          onChoose={choose}
          widgets={widgetsOf(props, selected, commenting)}
        />
      </div>
    </>
  );
}

function FileHead({
  file,
  since,
  view,
  onView,
  isViewed,
  onViewed,
}: Pick<Props, "file" | "since" | "isViewed" | "onViewed"> & { readonly view: ViewType; readonly onView: () => void }) {
  return (
    <header className="review-file-head">
      <span className="review-file-path">
        <code>
          <Untrusted text={file.change === "renamed" ? `${file.oldPath} → ${file.path}` : file.path} />
        </code>
        <LineCounts added={file.added} removed={file.removed} />
      </span>
      <button type="button" onClick={onView}>
        {view} <KeyCap keys="u" isPlain />
      </button>
      {since.toggle === null ? null : (
        <button type="button" aria-pressed={since.commit !== null} onClick={since.toggle}>
          since the last review <KeyCap keys="y" isPlain />
        </button>
      )}
      <label>
        <input type="checkbox" checked={isViewed} onChange={onViewed} /> viewed <KeyCap keys="v" isPlain />
      </label>
    </header>
  );
}

/** Comments on the whole file, or on lines that the diff does not show. */
function Elsewhere({ file, pullRequest, review }: Props) {
  const threads = pullRequest.threads.filter(
    ({ path, line, resolvedBy }) => resolvedBy === null && path === file.path && findLine(file, line) === null,
  );
  if (threads.length === 0) return null;
  return (
    <div className="review-elsewhere">
      {threads.map((thread) => (
        <Thread key={thread.id} thread={thread} pullRequest={pullRequest} review={review} />
      ))}
    </div>
  );
}

/** What is below the lines of the file: threads, pending comments, and the form. */
function widgetsOf(
  { file, head, pullRequest, review }: Props,
  selected: ChangeData | null,
  commenting: ReturnType<typeof useCommenting>,
): Readonly<Record<string, ReactNode>> {
  const parts = new Map<string, ReactNode[]>();
  const put = (line: number | null, node: ReactNode): void => {
    const change = findLine(file, line);
    if (change === null) return;
    const key = getChangeKey(change);
    parts.set(key, [...(parts.get(key) ?? []), node]);
  };
  for (const thread of pullRequest.threads) {
    if (thread.path !== file.path) continue;
    put(thread.line, <Thread key={thread.id} thread={thread} pullRequest={pullRequest} review={review} />);
  }
  for (const comment of review.pending) {
    if (comment.path !== file.path) continue;
    put(comment.line, <Pending key={comment.id} comment={comment} head={head} review={review} />);
  }
  const line = selected === null ? null : newLineOf(selected);
  if (commenting.isOpen && line !== null) {
    const name = file.path.split("/").at(-1) ?? file.path;
    const place = { path: file.path, line };
    put(
      line,
      <CommentForm
        key="form"
        draft={`comment.${pullRequest.key}.${file.path}.${line}`}
        place={`line ${line} of ${name}, commit ${head.slice(0, 7)}`}
        onCancel={commenting.close}
        onAdd={(text) => {
          review.addPending({ ...place, text, head });
          commenting.close();
        }}
        onSend={async (text) => {
          await review.give.mutateAsync({ verdict: "comment", comments: [{ ...place, text }] });
          commenting.close();
        }}
      />,
    );
  }
  return Object.fromEntries([...parts].map(([key, nodes]) => [key, <div key={key}>{nodes}</div>]));
}

function Pending({
  comment,
  head,
  review,
}: {
  readonly comment: PendingComment;
  readonly head: string;
  readonly review: Review;
}) {
  return (
    <div className="thread thread-form">
      <Untrusted text={comment.text} />
      <div className="thread-form-bar">
        <span className="small ink-3">
          pending, sent with your verdict{comment.head === head ? "" : "; written on an older commit"}
        </span>
        <Button kind="quiet" onClick={() => review.removePending(comment.id)}>
          Discard
        </Button>
      </div>
    </div>
  );
}
