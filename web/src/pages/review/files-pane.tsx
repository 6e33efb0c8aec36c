import { useMemo } from "react";
import type { PullRequestDetailView } from "../../../../src/protocol/views/pull-request.ts";
import { FileTree } from "../../parts/diff/file-tree.tsx";
import type { Diff } from "../../parts/diff/parse-diff.ts";
import { LineCounts } from "../../parts/line-counts.tsx";
import { Markdown } from "../../parts/markdown.tsx";
import { Notice } from "../../parts/notice.tsx";
import { plural } from "./merge-gate.ts";
import type { PendingComment } from "./pending-comments.ts";

interface Props {
  readonly pullRequest: PullRequestDetailView;
  readonly diff: Diff;
  readonly path: string | null;
  readonly onPath: (path: string) => void;
  readonly viewed: ReadonlySet<string>;
  readonly pending: readonly PendingComment[];
}

/** The files of the pull request, and its agent's description. */
export function FilesPane({ pullRequest, diff, path, onPath, viewed, pending }: Props) {
  const { files, cut } = diff;
  const comments = useMemo(() => countComments(pullRequest, pending), [pullRequest, pending]);
  const sum = (key: "added" | "removed"): number => files.reduce((total, file) => total + file[key], 0);
  return (
    <div className="review-files">
      <header className="review-files-head">
        <h2 className="strong">
          {files.length} {plural(files.length, "file")}
        </h2>
        <LineCounts added={sum("added")} removed={sum("removed")} />
        <span className="small ink-3">{viewed.size} viewed</span>
      </header>
      <FileTree files={files} selected={path} onSelect={onPath} viewed={viewed} comments={comments} />
      {cut === null ? null : <Notice>{cut}</Notice>}
      {pullRequest.body === null ? null : (
        <section className="review-about">
          <h2>What the agent says</h2>
          <Markdown text={pullRequest.body} />
        </section>
      )}
    </div>
  );
}

function countComments(
  { threads }: Pick<PullRequestDetailView, "threads">,
  pending: readonly PendingComment[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (path: string | null, count: number): void => {
    if (path !== null) counts.set(path, (counts.get(path) ?? 0) + count);
  };
  for (const { path, comments, resolvedBy } of threads) if (resolvedBy === null) add(path, comments.length);
  for (const { path } of pending) add(path, 1);
  return counts;
}
