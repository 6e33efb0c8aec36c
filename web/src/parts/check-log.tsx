import "./check-log.css";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { CheckLogView, PullRequestView } from "../../../src/protocol/views/pull-request.ts";
import { call } from "../data/call.ts";
import { pullRequestRef } from "../data/pull-request-queries.ts";
import { Dialog } from "./dialog.tsx";
import { Failure } from "./failure-notice.tsx";
import { UntrustedBlock } from "./untrusted.tsx";

/** How often the log of a running check is read while it is open. */
const READ_MS = 1000;
/** Maximum number of characters kept on the page; a log is read from its end. */
const MAX_SHOWN = 400_000;

interface Props {
  readonly pullRequest: Pick<PullRequestView, "key">;
  readonly check: string;
  readonly onClose: () => void;
}

/** A check's output, even while it runs. */
export function CheckLog({ pullRequest: { key }, check, onClose }: Props) {
  const { view, text, failure } = useLog(key, check);
  const end = useRef<HTMLPreElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new text is at the end
  useLayoutEffect(() => {
    if (end.current !== null) end.current.scrollTop = end.current.scrollHeight;
  }, [text]);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Log of check ${check}`}
      aside={view === null ? null : <span className="small ink-3">{describeRun(view)}</span>}
    >
      {failure === null ? null : <Failure error={failure} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre className="check-log" ref={end} tabIndex={0}>
        <UntrustedBlock text={text === "" && view !== null ? "No output." : text} />
      </pre>
    </Dialog>
  );
}

function describeRun({ state, head, attempt }: CheckLogView): string {
  return `${state.replaceAll("-", " ")} on ${head.slice(0, 7)}${attempt > 1 ? `, attempt ${attempt}` : ""}`;
}

function useLog(key: string, check: string) {
  const [log, setLog] = useState<{ readonly view: CheckLogView | null; readonly text: string }>({
    view: null,
    text: "",
  });
  const [failure, setFailure] = useState<Error | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const read = async (cursor?: number): Promise<void> => {
      const view = await call("GET /api/pull-requests/:project/:number/checks/:check/log", {
        params: { ...pullRequestRef(key), check },
        input: cursor === undefined ? {} : { cursor },
        signal: abort.signal,
      });
      setLog((before) => ({
        view,
        text: (cursor === undefined ? view.log : before.text + view.log).slice(-MAX_SHOWN),
      }));
      if (view.state === "running" || view.state === "queued")
        timer = setTimeout(() => void start(view.cursor), READ_MS);
    };
    const start = (cursor?: number): Promise<void> =>
      read(cursor).catch((error: Error) => {
        if (!abort.signal.aborted) setFailure(error);
      });
    void start();
    return () => {
      abort.abort();
      if (timer !== null) clearTimeout(timer);
    };
  }, [key, check]);
  return { ...log, failure };
}
