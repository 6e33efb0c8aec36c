import { lazy, Suspense, useState } from "react";
import type { CheckView, PullRequestView } from "../../../../../src/protocol/views/pull-request.ts";
import { useShortcuts } from "../../../keys/use-shortcuts.ts";
import { describeCheck } from "../../../lib/describe-check.ts";
import { formatSpan } from "../../../lib/time.ts";
import { CheckMark } from "../../../parts/check-marks.tsx";
import { PageLink } from "../../../parts/page-link.tsx";
import { Phrase, Untrusted } from "../../../parts/untrusted.tsx";
import { pullRequestPath } from "../../fleet/need-buttons.ts";
import { Section } from "./section.tsx";

const CheckLog = lazy(() => import("../../../parts/check-log.tsx").then((m) => ({ default: m.CheckLog })));

/** The checks of the pull request, and what blocks its merge. */
export function PullRequestSection({ pullRequest }: { readonly pullRequest: PullRequestView }) {
  const { number, on, head, checks, blockers, phase } = pullRequest;
  const [log, setLog] = useState<string | null>(null);
  const failed = checks.find(({ state }) => state === "failed" || state === "timed-out" || state === "setup-failed");
  useShortcuts({ log: () => (failed === undefined ? false : setLog(failed.name)) });
  return (
    <Section
      title={
        <PageLink href={pullRequestPath(pullRequest.key)}>
          Pull request #{number}
          {on === undefined ? "" : ` on ${on}`}
        </PageLink>
      }
      aside={<code>{head.slice(0, 7)}</code>}
    >
      {checks.map((check) => (
        <CheckRow key={check.name} check={check} onLog={() => setLog(check.name)} />
      ))}
      <p>
        {phase !== "open" ? phase : null}
        {phase === "open" && blockers.length === 0 ? "Nothing blocks the merge." : null}
        {phase === "open" && blockers.length > 0 ? <Phrase text={`Blocking merge: ${blockers.join(", ")}.`} /> : null}
      </p>
      {log === null ? null : (
        <Suspense fallback={null}>
          <CheckLog pullRequest={pullRequest} check={log} onClose={() => setLog(null)} />
        </Suspense>
      )}
    </Section>
  );
}

function CheckRow({ check, onLog }: { readonly check: CheckView; readonly onLog: () => void }) {
  return (
    <div className="inspector-row">
      <CheckMark check={check} />
      <button type="button" className="inspector-text" onClick={onLog} aria-label={`Log of check ${check.name}`}>
        <Untrusted text={check.name} />
      </button>
      <span className="ink-3">{describeCheck(check)}</span>
      <span className="ink-3">{check.tookMs === null ? null : formatSpan(check.tookMs)}</span>
    </div>
  );
}
