import "./diff-tab.css";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { SessionDetailView } from "../../../../src/protocol/views/session.ts";
import { sessionDiffQuery } from "../../data/session-queries.ts";
import { useParam } from "../../lib/url-state.ts";
import { DiffFileView } from "../../parts/diff/diff-file.tsx";
import { FileTree } from "../../parts/diff/file-tree.tsx";
import { inTreeOrder } from "../../parts/diff/group-by-folder.ts";
import { parseDiff } from "../../parts/diff/parse-diff.ts";
import { Empty } from "../../parts/empty.tsx";
import { Failure } from "../../parts/failure-notice.tsx";
import { Notice } from "../../parts/notice.tsx";

/** The session's changes against its base, committed or not, one file at a time. */
export function DiffTab({ session }: { readonly session: SessionDetailView }) {
  const { data, error, refetch } = useQuery(sessionDiffQuery(session.id));
  const [path, setPath] = useParam("file");
  const diff = useMemo(() => inTreeOrder(parseDiff(data?.diff ?? "")), [data]);
  if (error !== null && data === undefined) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return null;
  const file = diff.files.find((one) => one.path === path) ?? diff.files[0];
  if (file === undefined) return <Empty title="No changes yet" />;
  return (
    <div className="diff-tab">
      <div className="diff-tab-files">
        <FileTree files={diff.files} selected={file.path} onSelect={setPath} />
        {diff.cut === null ? null : <Notice>{diff.cut}</Notice>}
      </div>
      <div>
        <DiffFileView key={file.path} file={file} />
      </div>
    </div>
  );
}
